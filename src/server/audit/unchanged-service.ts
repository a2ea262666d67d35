import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { ServiceError } from '../core/errors/errors';
import { because } from '../core/errors/reason';
import type { AuditField, AuditRecordType } from './actions';
import type { Actor } from './audit';
import * as sql from './audit.queries';

/** A transaction that holds the record's lock. */
type Connection = Parameters<typeof sql.findLastChange.runIn>[0] | pg.PoolClient;

/** The record that a form edits, as the audit log names it and its fields. */
interface EditedRecord {
  recordType: AuditRecordType;
  recordId: string | number;
  /** The stored fields under the audit log's names, where those differ from the form's. */
  logged?: { readonly [Name in AuditField]?: unknown };
}

/** Tells a form what is stored now, and who changed it and when if the audit log knows. */
export interface ChangedMeanwhile {
  /** The guarded fields as they are now. */
  stored: Record<string, unknown>;
  by: { name: string; you: boolean } | null;
  /** ISO 8601 in UTC. */
  at: string | null;
}

/** As JSON has it: without the undefined, dates as text. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const same = (a: unknown, b: unknown) => isDeepStrictEqual(plain(a), plain(b));

/** Makes the refusal of a save whose form showed something else than `stored`. Its member `changed` is for the form. */
export async function changedMeanwhile(
  connection: Connection,
  actor: Actor,
  { recordType, recordId, logged }: EditedRecord,
  stored: object,
  changed: object = stored,
): Promise<ServiceError> {
  const fields = JSON.stringify({ ...changed, ...logged });
  const params = { recordType, recordId: String(recordId), fields };
  const [last] =
    'query' in connection
      ? await sql.findLastChange.run(connection, params)
      : await sql.findLastChange.runIn(connection, params);
  const isNamed = last?.kind === 'user' || last?.kind === 'api_key';
  const details: ChangedMeanwhile = {
    stored: plain(stored) as Record<string, unknown>,
    by: isNamed ? { name: last.name, you: last.kind === actor.kind && last.id === actor.id } : null,
    at: last?.at.toISOString() ?? null,
  };
  return new ServiceError('conflict', because('edit.changedMeanwhile'), { members: { changed: details } });
}

/**
 * Lets no save overwrite what its form never showed. Call it in the transaction that saves, once the record is locked: of two
 * saves at once, the second then sees the first.
 *
 * A form sends the fields as it showed them, and they are compared rather than a version or a time of change: most tables have
 * neither, an `updated_at` also moves with what the form does not show (such as a sign-in), a value that was changed back is no
 * change, and the lists need no further member. Fields that the save leaves as they are stored are not compared.
 *
 * @param shown the fields that the form was opened with; undefined for callers without a form, who are never refused
 * @param stored the same fields as they are now
 * @param wanted the fields as the save would store them; undefined leaves one as it is
 * @throws ServiceError `conflict` with {@link ChangedMeanwhile}
 */
export async function requireUnchanged<Stored extends object>(
  connection: Connection,
  actor: Actor,
  record: EditedRecord,
  values: {
    shown: { readonly [Name in keyof Stored]?: unknown } | undefined;
    stored: Stored;
    wanted: { readonly [Name in keyof Stored]?: unknown };
  },
): Promise<void> {
  const { shown, stored, wanted } = values;
  if (shown === undefined) return;
  const changed = (Object.keys(stored) as (keyof Stored)[]).filter(
    (name) =>
      shown[name] !== undefined &&
      wanted[name] !== undefined &&
      !same(stored[name], shown[name]) &&
      !same(stored[name], wanted[name]),
  );
  if (changed.length === 0) return;
  const differing = Object.fromEntries(changed.map((name) => [name, stored[name]]));
  throw await changedMeanwhile(connection, actor, record, stored, differing);
}
