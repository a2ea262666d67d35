import { ServiceError } from '../core/errors';
import type { Database } from '../db/client';
import { type Actor, writeAudit } from './audit';
import { apiKeys, hashSecret } from './secret-token';

/** The key that a request came with. */
export interface KeyPrincipal {
  id: number;
  name: string;
}

interface KeyRow {
  id: number;
  name: string;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const FIND_KEY = 'SELECT id, name, expires_at, revoked_at FROM api_keys WHERE hash = $1';

/**
 * Finds the key of a request with one prepared statement, every time: a key that is revoked or expired fails at the next
 * request, in every process.
 *
 * @returns null where the key is unknown, revoked or expired
 * @throws ServiceError `service_unavailable` where the database cannot be asked
 */
export async function authenticateKey(
  db: Database,
  key: string,
  now: () => number,
): Promise<KeyPrincipal | null> {
  if (!apiKeys.isWellFormed(key)) return null;
  let row: KeyRow | undefined;
  try {
    const found = await db.pool.query<KeyRow>({ name: 'api-key', text: FIND_KEY, values: [hashSecret(key)] });
    row = found.rows[0];
  } catch (cause) {
    throw new ServiceError('service_unavailable', 'The database cannot be reached. Try again in a moment.', {
      headers: { 'Retry-After': '5' },
      cause,
    });
  }
  if (!row || row.revoked_at !== null) return null;
  if (row.expires_at !== null && row.expires_at.getTime() <= now()) return null;
  return { id: row.id, name: row.name };
}

/** Makes a key. The answer holds the only copy of it. */
export async function createApiKey(
  db: Database,
  actor: Actor,
  input: { name: string; expiresAt: Date | null },
): Promise<{ id: number; key: string; prefix: string; expiresAt: Date | null }> {
  const made = apiKeys.generate();
  return db.prisma.$transaction(async (tx) => {
    const row = await tx.apiKey.create({
      data: {
        name: input.name,
        hash: new Uint8Array(made.hash),
        prefix: made.prefix,
        lastFour: made.lastFour,
        expiresAt: input.expiresAt,
        createdBy: actor.name,
        createdByUserId: actor.kind === 'user' ? (actor.id ?? null) : null,
      },
    });
    await writeAudit(tx, actor, {
      action: 'api_key.create',
      recordType: 'api_key',
      recordId: row.id,
      after: { name: row.name, prefix: row.prefix, expires_at: row.expiresAt?.toISOString() ?? null },
    });
    return { id: row.id, key: made.key, prefix: made.prefix, expiresAt: row.expiresAt };
  });
}

/** A key as it may be shown: never its hash. */
export interface ApiKeyView {
  id: number;
  name: string;
  prefix: string;
  lastFour: string;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** All keys, newest first. */
export async function listApiKeys(db: Database): Promise<ApiKeyView[]> {
  return db.prisma.apiKey.findMany({
    omit: { hash: true, createdByUserId: true },
    orderBy: { id: 'desc' },
  });
}

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
  return db.prisma.$transaction(async (tx) => {
    const key = await tx.apiKey.findUnique({ where: { id } });
    if (!key) throw new ServiceError('not_found', `No API key has the id ${id}. "api-key list" shows them.`);
    if (key.revokedAt) return { id, revokedAt: key.revokedAt };
    const revokedAt = new Date();
    await tx.apiKey.update({ where: { id }, data: { revokedAt } });
    await writeAudit(tx, actor, {
      action: 'api_key.revoke',
      recordType: 'api_key',
      recordId: id,
      before: { revoked_at: null },
      after: { revoked_at: revokedAt.toISOString() },
    });
    return { id, revokedAt };
  });
}
