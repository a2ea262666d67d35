import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { AuditField, AuditRecordType } from './actions';
import * as sql from './audit.queries';
import type { Actor } from './service';

/** A transaction that holds the record's lock. */
type TransactionWithLock = Parameters<typeof sql.findLastChange.runIn>[0] | pg.PoolClient;

/** The record that a form edits, as identified in the audit log. */
interface EditedRecord {
  recordType: AuditRecordType;
  recordId: string | number;
  /** Stored fields whose names in the audit log differ from those in the form, keyed by their names in the audit log. */
  loggedFields?: { readonly [Name in AuditField]?: unknown };
}

/** What a form shows after a conflict: what is stored now and, if the audit log knows, which user or key changed it, and when. */
export interface ConflictDetails {
  /** The record's id, because one call may change several records. */
  id: string;
  /** The form's fields as stored now. */
  stored: Record<string, unknown>;
  by: { name: string; you: boolean } | null;
  /** ISO 8601 in UTC. */
  at: string | null;
}

/** Round-trips a value through JSON: drops undefined properties and turns dates into strings. */
const toJsonValue = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(toJsonValue(a), toJsonValue(b));

/**
 * Creates the error for a save whose form showed values other than `stored`. The error's member `changed` tells the form
 * what has changed.
 *
 * @param conflictingFields the stored fields for which the form showed other values; all of them by default
 */
export async function createEditConflict(
  connection: TransactionWithLock,
  actor: Actor,
  { recordType, recordId, loggedFields }: EditedRecord,
  stored: object,
  conflictingFields: object = stored,
): Promise<ServiceError> {
  const fieldsJson = JSON.stringify({ ...conflictingFields, ...loggedFields });
  const params = { recordType, recordId: String(recordId), fields: fieldsJson };
  const [lastChange] =
    'query' in connection
      ? await sql.findLastChange.run(connection, params)
      : await sql.findLastChange.runIn(connection, params);
  const isNamed = lastChange?.kind === 'user' || lastChange?.kind === 'api_key';
  const details: ConflictDetails = {
    id: String(recordId),
    stored: toJsonValue(stored) as Record<string, unknown>,
    by: isNamed
      ? { name: lastChange.name, you: lastChange.kind === actor.kind && lastChange.id === actor.id }
      : null,
    at: lastChange?.at.toISOString() ?? null,
  };
  return new ServiceError('conflict', createReason('edit.changedMeanwhile'), {
    members: { changed: details },
  });
}

/**
 * Prevents a save from overwriting values that its form did not show. Call it in the transaction that saves, once the record is
 * locked, so that of two concurrent saves the second sees the first.
 *
 * A form sends the values it showed, which are compared with the stored ones. A version or a change time would not do: most
 * tables have neither, an `updated_at` also changes with values that the form does not show (such as a sign-in), and a value
 * that was changed back is not a conflict. Fields that the save does not change are not compared.
 *
 * @param values `shown`: the values the form was opened with (undefined for callers without a form, who are never refused);
 * `stored`: the current values of these fields; `newValues`: the values to save (undefined leaves a field as it is)
 * @throws ServiceError `conflict` with {@link ConflictDetails}
 */
export async function requireUnchanged<Stored extends object>(
  connection: TransactionWithLock,
  actor: Actor,
  record: EditedRecord,
  values: {
    shown: { readonly [Name in keyof Stored]?: unknown } | undefined;
    stored: Stored;
    newValues: { readonly [Name in keyof Stored]?: unknown };
  },
): Promise<void> {
  const { shown, stored, newValues } = values;
  if (shown === undefined) return;
  const conflictingNames = (Object.keys(stored) as (keyof Stored)[]).filter(
    (name) =>
      shown[name] !== undefined &&
      newValues[name] !== undefined &&
      !isSame(stored[name], shown[name]) &&
      !isSame(stored[name], newValues[name]),
  );
  if (conflictingNames.length === 0) return;
  const conflictingFields = Object.fromEntries(conflictingNames.map((name) => [name, stored[name]]));
  throw await createEditConflict(connection, actor, record, stored, conflictingFields);
}
