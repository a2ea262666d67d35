import type { ApiKey } from '../../../generated/prisma/client';
import type { AuditAction } from '../../audit/actions';
import { type Actor, writeAudit } from '../../audit/audit';
import { requireUnchanged } from '../../audit/unchanged-service';
import { invalidField, notFound, ServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import * as sql from './keys.queries';
import type { KeyTransaction } from './service';

/**
 * Locks the key until the transaction ends.
 *
 * @throws ServiceError `not_found` if no key has the id
 */
export async function lockKey(tx: KeyTransaction, id: number): Promise<ApiKey> {
  const [found] = await sql.lockKey.runIn(tx, { id });
  if (found) return tx.apiKey.findUniqueOrThrow({ where: { id } });
  throw notFound(because('answer.noKey', { id }));
}

/** The members of a key that can be changed. */
type Change = Partial<
  Pick<ApiKey, 'name' | 'expiresAt' | 'scopes' | 'addressRanges' | 'replyTokensPerDay' | 'revokedAt'>
>;

/** The members of a change for the audit log. */
function audited(change: Change) {
  return {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.expiresAt === undefined ? {} : { expires_at: change.expiresAt?.toISOString() ?? null }),
    ...(change.scopes === undefined ? {} : { scopes: change.scopes }),
    ...(change.addressRanges === undefined ? {} : { address_ranges: change.addressRanges }),
    ...(change.replyTokensPerDay === undefined ? {} : { reply_tokens_per_day: change.replyTokensPerDay }),
    ...(change.revokedAt === undefined ? {} : { revoked_at: change.revokedAt?.toISOString() ?? null }),
  };
}

/** The members of a key that forms edit. */
const guarded = ({ name, expiresAt, scopes, addressRanges, replyTokensPerDay }: ApiKey) =>
  audited({ name, expiresAt, scopes, addressRanges, replyTokensPerDay });

/** The members of a change that differ from the current values. */
const differing = (change: Change, key: ApiKey) =>
  (Object.keys(change) as (keyof Change)[]).filter(
    (name) => JSON.stringify(change[name]) !== JSON.stringify(key[name]),
  );

/** Changes a key as `decide` says, given its current state, and audits the change; does nothing if no value differs. */
async function changeKey(
  db: Database,
  actor: Actor,
  id: number,
  action: AuditAction,
  decide: (key: ApiKey, tx: KeyTransaction) => Change | Promise<Change>,
): Promise<ApiKey> {
  return db.prisma.$transaction(async (tx) => {
    const key = await lockKey(tx, id);
    const change = await decide(key, tx);
    const names = differing(change, key);
    if (names.length === 0) return key;
    const of = (values: Change): Change => Object.fromEntries(names.map((name) => [name, values[name]]));
    const [before, after] = [audited(of(key)), audited(of(change))];
    const changed = await tx.apiKey.update({ where: { id }, data: of(change) });
    await writeAudit(tx, actor, { action, recordType: 'api_key', recordId: id, before, after });
    return changed;
  });
}

/** What users change about a key; omitted members stay. */
export interface KeyUpdate {
  name?: string;
  /** Null for never, or an instant; one in the past ends the key at the next request. */
  expiresAt?: Date | null;
  /** The operations that it may call from its next request on; empty for all. */
  scopes?: readonly string[];
  /** Where it may be used from, starting with its next request; empty for everywhere. */
  addressRanges?: readonly string[];
  /** Tokens that its replies may use per UTC day; null for the configured number. */
  replyTokensPerDay?: number | null;
  /** The fields as a form showed them, under their names in the audit log. */
  shown?: Partial<Record<keyof ReturnType<typeof audited>, unknown>>;
}

/**
 * Changes a key's name, permissions and expiry: all or nothing.
 *
 * @throws ServiceError `not_found`; `conflict` if the key is no longer as `shown`; `validation_failed` if it changes more
 * than the name of a revoked key, or lets a rotated key outlive its grace period
 */
export const updateApiKey = (db: Database, actor: Actor, id: number, update: KeyUpdate) =>
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
    await requireUnchanged(tx, actor, record, { shown, stored: guarded(key), wanted: audited(change) });
    const others = differing(change, key).filter((member) => member !== 'name');
    if (others.length > 0 && key.revokedAt !== null)
      throw new ServiceError('validation_failed', because('answer.keyRevoked', { id: key.id }));
    if (others.includes('expiresAt')) await requireWithinGrace(key, expiresAt!, tx);
    return change;
  });

async function requireWithinGrace(key: ApiKey, expiresAt: Date | null, tx: KeyTransaction): Promise<void> {
  const rotated = await tx.apiKey.findFirst({ where: { rotatedFromId: key.id }, select: { id: true } });
  const longer =
    key.expiresAt !== null && (expiresAt === null || expiresAt.getTime() > key.expiresAt.getTime());
  if (!rotated || !longer) return;
  const reason = because('key.notLater', { id: rotated.id });
  throw invalidField('expires_at', reason);
}

/**
 * Revokes a key; it is refused from the next request on. Revoking it again changes nothing.
 *
 * @throws ServiceError `not_found` if no key has the id
 */
export async function revokeApiKey(
  db: Database,
  actor: Actor,
  id: number,
): Promise<{ id: number; revokedAt: Date }> {
  const key = await changeKey(db, actor, id, 'api_key.revoke', ({ revokedAt }) => ({
    revokedAt: revokedAt ?? new Date(),
  }));
  return { id, revokedAt: key.revokedAt! };
}
