import { z } from 'zod';
import { withReason } from '../core/errors/validation';
import { dayInput, instantSchema, nextCursor, pageFields, requiredText } from '../core/fields';
import { AUDIT_GROUPS, AUDIT_RECORD_TYPES, type AuditAction, type AuditGroup } from './actions';

const day = dayInput();

export const AUDIT_ACTIONS = Object.values(AUDIT_GROUPS).flat() as readonly AuditAction[];

/** Who acted: a user or key by id, any command, or the service itself. */
const actor = z
  .string()
  .regex(/^(?:(?:user|api_key):[1-9]\d{0,8}|command|system)$/, withReason('type.auditActor'));

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(100);

export const auditInput = z.strictObject({
  ...pageFields,
  actors: listOf(actor).optional(),
  groups: listOf(z.enum(Object.keys(AUDIT_GROUPS) as AuditGroup[])).optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  record_types: listOf(z.enum(AUDIT_RECORD_TYPES)).optional(),
  record_id: requiredText(200).optional(),
  /** Days in the reader's time zone. `to` is inclusive. */
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
      /**
       * The actor as recorded: a user's e-mail address, a key's name, or the name under which a command or the service acts.
       */
      actor: z.string(),
      /** The user's or key's current name. Null for commands and the service. */
      actor_name: z.string().nullable(),
      action: z.enum(AUDIT_ACTIONS),
      record_type: z.enum(AUDIT_RECORD_TYPES),
      record_id: z.string(),
      /** The record's current name or, if that is unknown, its name in this entry. Null if the entry has none either. */
      record_name: z.string().nullable(),
      before: values,
      after: values,
      address: z.string().nullable(),
      request_id: z.string().nullable(),
    }),
  ),
  /** The cursor of the next page; null on the last page. */
  next: nextCursor,
});

export const auditActorsOutput = z.array(z.object({ actor, kind: actorKind, name: z.string() }));
