import type { ApiKey } from '../../generated/prisma/client';
import { ServiceError, validationError } from '../core/errors';
import type { Database } from '../db/client';
import { type Actor, writeAudit } from './audit';
import type { KeyTransaction } from './key-service';

/**
 * The key, locked until the transaction ends. Not FOR UPDATE, for which imports and the request log would have to wait, as
 * they name the key.
 *
 * @throws ServiceError `not_found` where no key has the id
 */
export async function lockKey(tx: KeyTransaction, id: number): Promise<ApiKey> {
  const [found] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM api_keys WHERE id = ${id} FOR NO KEY UPDATE`;
  if (found) return tx.apiKey.findUniqueOrThrow({ where: { id } });
  throw new ServiceError('not_found', `No API key has the id ${id}. "api-key list" shows them.`);
}

/** What of a key can be changed. */
type Change = Partial<Pick<ApiKey, 'name' | 'expiresAt' | 'scopes' | 'addressRanges' | 'revokedAt'>>;

/** What the audit log keeps of a change: the members that it touches. */
function audited(change: Change) {
  return {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.expiresAt === undefined ? {} : { expires_at: change.expiresAt?.toISOString() ?? null }),
    ...(change.scopes === undefined ? {} : { scopes: change.scopes }),
    ...(change.addressRanges === undefined ? {} : { address_ranges: change.addressRanges }),
    ...(change.revokedAt === undefined ? {} : { revoked_at: change.revokedAt?.toISOString() ?? null }),
  };
}

/** Changes a key as `decide` says, given what it is now, and audits it; a change to what it is already does nothing. */
async function changeKey(
  db: Database,
  actor: Actor,
  id: number,
  action: string,
  decide: (key: ApiKey, tx: KeyTransaction) => Change | Promise<Change>,
): Promise<ApiKey> {
  return db.prisma.$transaction(async (tx) => {
    const key = await lockKey(tx, id);
    const change = await decide(key, tx);
    const names = Object.keys(change) as (keyof Change)[];
    const before = audited(Object.fromEntries(names.map((name) => [name, key[name]])));
    const after = audited(change);
    if (JSON.stringify(before) === JSON.stringify(after)) return key;
    const changed = await tx.apiKey.update({ where: { id }, data: change });
    await writeAudit(tx, actor, { action, recordType: 'api_key', recordId: id, before, after });
    return changed;
  });
}

/** A revoked key stays what it was when it was revoked, but for its name. */
function requireNotRevoked(key: ApiKey): void {
  if (key.revokedAt === null) return;
  throw new ServiceError('validation_failed', `API key ${key.id} is revoked; only its name can be changed.`);
}

/** @throws ServiceError `not_found` */
export const renameApiKey = (db: Database, actor: Actor, id: number, name: string) =>
  changeKey(db, actor, id, 'api_key.rename', () => ({ name }));

/**
 * Says when a key expires: never (null), or at an instant; one that is past ends it at the next request.
 *
 * @throws ServiceError `not_found`; `validation_failed` where the key is revoked, or has been rotated and would outlive the
 * grace that it was given
 */
export const setApiKeyExpiry = (db: Database, actor: Actor, id: number, expiresAt: Date | null) =>
  changeKey(db, actor, id, 'api_key.set_expiry', async (key, tx) => {
    requireNotRevoked(key);
    const rotated = await tx.apiKey.findFirst({ where: { rotatedFromId: id }, select: { id: true } });
    const longer =
      key.expiresAt !== null && (expiresAt === null || expiresAt.getTime() > key.expiresAt.getTime());
    if (rotated && longer) {
      const message = `must not be later than it is already, as key ${rotated.id} has taken this one's place`;
      throw validationError([{ path: 'expires_at', message }]);
    }
    return { expiresAt };
  });

/**
 * Says which operations a key may call from its next request on; none named means all.
 *
 * @throws ServiceError `not_found`; `validation_failed` where the key is revoked
 */
export const setApiKeyScopes = (db: Database, actor: Actor, id: number, scopes: readonly string[]) =>
  changeKey(db, actor, id, 'api_key.set_scopes', (key) => {
    requireNotRevoked(key);
    return { scopes: [...new Set(scopes)].toSorted() };
  });

/**
 * Says from which addresses a key may be used from its next request on; none named means all.
 *
 * @throws ServiceError `not_found`; `validation_failed` where the key is revoked
 */
export const setApiKeyAddressRanges = (db: Database, actor: Actor, id: number, ranges: readonly string[]) =>
  changeKey(db, actor, id, 'api_key.set_address_ranges', (key) => {
    requireNotRevoked(key);
    return { addressRanges: [...new Set(ranges)] };
  });

/**
 * Revokes a key; it is refused from the next request on. Revoking it again changes nothing.
 *
 * @throws ServiceError `not_found` where no key has the id
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
