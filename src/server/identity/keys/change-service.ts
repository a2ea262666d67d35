import type { ApiKey, Prisma } from '../../../generated/prisma/client';
import type { AuditAction } from '../../audit/actions';
import { requireUnchanged } from '../../audit/edit-conflict-service';
import { writeAuditEntry } from '../../audit/service';
import { invalidField, notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { lockActor } from '../users/actor-service';
import type { ActorWithRole } from '../users/view-service';
import * as sql from './keys.queries';

/**
 * Locks a key until the transaction ends, and returns it.
 *
 * @throws ServiceError `not_found` if no key has the id
 */
export async function lockKey(tx: Prisma.TransactionClient, id: number): Promise<ApiKey> {
  const [row] = await sql.lockKey.runIn(tx, { id });
  if (row) return tx.apiKey.findUniqueOrThrow({ where: { id } });
  throw notFound(createReason('answer.noKey', { id }));
}

/** The fields of a key that can be changed. */
type Change = Partial<
  Pick<ApiKey, 'name' | 'expiresAt' | 'scopes' | 'addressRanges' | 'replyTokensPerDay' | 'revokedAt'>
>;

/** Returns the fields that are set, under their names in the audit log. */
function auditFields(change: Change) {
  return {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.expiresAt === undefined ? {} : { expires_at: change.expiresAt?.toISOString() ?? null }),
    ...(change.scopes === undefined ? {} : { scopes: change.scopes }),
    ...(change.addressRanges === undefined ? {} : { address_ranges: change.addressRanges }),
    ...(change.replyTokensPerDay === undefined ? {} : { reply_tokens_per_day: change.replyTokensPerDay }),
    ...(change.revokedAt === undefined ? {} : { revoked_at: change.revokedAt?.toISOString() ?? null }),
  };
}

/** Returns the fields of a key that forms can edit. */
const editableFields = ({ name, expiresAt, scopes, addressRanges, replyTokensPerDay }: ApiKey) =>
  auditFields({ name, expiresAt, scopes, addressRanges, replyTokensPerDay });

/** Returns the names of the fields whose new values differ from the current ones. */
const changedFieldNames = (change: Change, key: ApiKey) =>
  (Object.keys(change) as (keyof Change)[]).filter(
    (name) => JSON.stringify(change[name]) !== JSON.stringify(key[name]),
  );

/** Applies and audits the change that `decideChange` returns for the key's current state. Does nothing if no value differs. */
async function changeKey(
  db: Database,
  actor: ActorWithRole,
  id: number,
  action: AuditAction,
  decideChange: (key: ApiKey, tx: Prisma.TransactionClient) => Change | Promise<Change>,
): Promise<ApiKey> {
  return db.prisma.$transaction(async (tx) => {
    await lockActor(tx, actor);
    const key = await lockKey(tx, id);
    const change = await decideChange(key, tx);
    const changedNames = changedFieldNames(change, key);
    if (changedNames.length === 0) return key;
    const pickChanged = (values: Change): Change =>
      Object.fromEntries(changedNames.map((name) => [name, values[name]]));
    const [before, after] = [auditFields(pickChanged(key)), auditFields(pickChanged(change))];
    const updatedKey = await tx.apiKey.update({ where: { id }, data: pickChanged(change) });
    await writeAuditEntry(tx, actor, { action, recordType: 'api_key', recordId: id, before, after });
    return updatedKey;
  });
}

/** What a user changes about a key. Omitted fields stay as they are. */
export interface KeyUpdate {
  name?: string;
  /** Null for never. With a time in the past, the key has expired, and its next request is refused. */
  expiresAt?: Date | null;
  /** The operations that it may call, from its next request on. Empty allows all. */
  scopes?: readonly string[];
  /** Where it may be used from, starting with its next request. Empty allows any address. */
  addressRanges?: readonly string[];
  /** Tokens that its replies may use per UTC day. Null for the configured default. */
  replyTokensPerDay?: number | null;
  /** The values the form showed, under their names in the audit log. */
  shown?: Partial<Record<keyof ReturnType<typeof auditFields>, unknown>>;
}

/**
 * Changes a key's name, scopes, address ranges, token budget and expiry. Either all changes are made or none.
 *
 * @throws ServiceError `not_found`; `conflict` if the key no longer has the values in `shown`; `validation_failed` if the
 * update changes more than the name of a revoked key, or postpones the expiry of a rotated key; `unauthorized` if the actor's
 * session has ended
 */
export const updateApiKey = (db: Database, actor: ActorWithRole, id: number, update: KeyUpdate) =>
  changeKey(db, actor, id, 'api_key.update', async (key, tx) => {
    const { name, expiresAt, scopes, addressRanges, replyTokensPerDay, shown } = update;
    const change: Change = {
      ...(name === undefined ? {} : { name }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)].toSorted() }),
      ...(addressRanges === undefined ? {} : { addressRanges: [...new Set(addressRanges)] }),
      ...(replyTokensPerDay === undefined ? {} : { replyTokensPerDay }),
    };
    const record = { recordType: 'api_key' as const, recordId: id };
    await requireUnchanged(tx, actor, record, {
      shown,
      stored: editableFields(key),
      newValues: auditFields(change),
    });
    const otherFieldNames = changedFieldNames(change, key).filter((field) => field !== 'name');
    if (otherFieldNames.length > 0 && key.revokedAt !== null)
      throw new ServiceError('validation_failed', createReason('answer.keyRevoked', { id: key.id }));
    if (otherFieldNames.includes('expiresAt')) await requireExpiryNotExtended(key, expiresAt!, tx);
    return change;
  });

async function requireExpiryNotExtended(
  key: ApiKey,
  expiresAt: Date | null,
  tx: Prisma.TransactionClient,
): Promise<void> {
  const successor = await tx.apiKey.findFirst({ where: { rotatedFromId: key.id }, select: { id: true } });
  const extendsExpiry =
    key.expiresAt !== null && (expiresAt === null || expiresAt.getTime() > key.expiresAt.getTime());
  if (!successor || !extendsExpiry) return;
  const reason = createReason('key.notLater', { id: successor.id });
  throw invalidField('expires_at', reason);
}

/**
 * Revokes a key. It is refused from the next request on. Does nothing if it is already revoked.
 *
 * @throws ServiceError `not_found` if no key has the id; `unauthorized` if the actor's session has ended
 */
export async function revokeApiKey(
  db: Database,
  actor: ActorWithRole,
  id: number,
): Promise<{ id: number; revokedAt: Date }> {
  const key = await changeKey(db, actor, id, 'api_key.revoke', ({ revokedAt }) => ({
    revokedAt: revokedAt ?? new Date(),
  }));
  return { id, revokedAt: key.revokedAt! };
}
