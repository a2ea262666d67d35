import { z } from 'zod';
import { otherwise } from '../core/errors/validation';
import { instantSchema, pageFields } from '../core/fields';
import { AUDIT_GROUPS, AUDIT_RECORDS, type AuditAction, type AuditGroup } from './actions';

const text = z.string().trim().min(1).max(200);
const day = z.iso.date(otherwise('input.day'));

export const AUDIT_ACTIONS = Object.values(AUDIT_GROUPS).flat() as readonly AuditAction[];

/** Who acted: a user or a key by id, any command, or the service itself. */
const actor = z
  .string()
  .regex(/^(?:(?:user|api_key):[1-9]\d{0,8}|command|system)$/, otherwise('type.auditActor'));

const several = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(100);

export const auditInput = z.strictObject({
  ...pageFields,
  actors: several(actor).optional(),
  groups: several(z.enum(Object.keys(AUDIT_GROUPS) as AuditGroup[])).optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  record_types: several(z.enum(AUDIT_RECORDS)).optional(),
  record_id: text.optional(),
  /** Days in the reader's time zone, the last one included. */
  from: day.optional(),
  to: day.optional(),
});

const actorKind = z.enum(['user', 'api_key', 'command', 'system']);

const values = z.record(z.string(), z.unknown()).nullable();

export const auditOutput = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      created_at: instantSchema,
      actor_kind: actorKind,
      /** As recorded: a user's e-mail address, a key's name, or what a command or the service calls itself. */
      actor: z.string(),
      /** The user's or key's name today; null for commands and the service. */
      actor_name: z.string().nullable(),
      action: z.enum(AUDIT_ACTIONS),
      record_type: z.enum(AUDIT_RECORDS),
      record_id: z.string(),
      /** What the record is called today, or was last called if it has been removed. */
      record_name: z.string().nullable(),
      before: values,
      after: values,
      address: z.string().nullable(),
      request_id: z.string().nullable(),
    }),
  ),
  /** Start of the next page; null at the end. */
  next: z.string().nullable(),
});

export const auditActorsOutput = z.array(z.object({ actor, kind: actorKind, name: z.string() }));
