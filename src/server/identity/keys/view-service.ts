import type { ApiKey } from '../../../generated/prisma/client';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { readTokenUsage } from '../../gateway/token-budget-service';
import * as sql from './keys.queries';
import type { KeyView } from './schema';

/** The services that reading keys needs. */
interface KeyViewServices {
  db: Database;
  now: () => number;
  /** The daily budget of keys without one of their own. */
  replyTokensPerDay: number;
}

function stateOf({ revokedAt, expiresAt }: StoredKey, now: number): KeyView['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'active';
}

/** The maximum number of addresses listed per rotated key. */
const MAX_ADDRESSES = 20;

/** Returns the rotations of these keys by the old key's id, with the addresses that have used the old key since then. */
async function readRotations(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, KeyView['rotation']>> {
  const rotationByKeyId = new Map<number, NonNullable<KeyView['rotation']>>();
  for (const { id, to_id, at, address, call_count: callCount, last_at } of await sql.listRotations.run(
    db.pool,
    { ids },
  )) {
    const rotation = rotationByKeyId.get(id) ?? {
      to_id,
      at: at.toISOString(),
      calls_since: 0,
      users_since: [],
    };
    rotationByKeyId.set(id, rotation);
    if (callCount === null || last_at === null) continue;
    rotation.calls_since += callCount;
    if (rotation.users_since.length < MAX_ADDRESSES)
      rotation.users_since.push({ address, calls: callCount, last_at: last_at.toISOString() });
  }
  return rotationByKeyId;
}

type StoredKey = Omit<ApiKey, 'hash' | 'createdByUserId'>;

const toIso = (time: Date | null) => time?.toISOString() ?? null;

async function findKeys(
  { db, now: clock, replyTokensPerDay }: KeyViewServices,
  where: { id?: number },
): Promise<KeyView[]> {
  const keys: StoredKey[] = await db.prisma.apiKey.findMany({
    where,
    omit: { hash: true, createdByUserId: true },
    orderBy: { id: 'desc' },
  });
  const ids = keys.map(({ id }) => id);
  const [rotationByKeyId, tokenUsageByKeyId] = await Promise.all([
    readRotations(db, ids),
    readTokenUsage(db, ids),
  ]);
  const now = clock();
  return keys.map((key) => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    state: stateOf(key, now),
    scopes: key.scopes,
    address_ranges: key.addressRanges,
    reply_tokens_per_day: key.replyTokensPerDay,
    reply_tokens: {
      budget: key.replyTokensPerDay ?? replyTokensPerDay,
      ...(tokenUsageByKeyId.get(key.id) ?? { used: 0, reserved: 0 }),
    },
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    expires_at: toIso(key.expiresAt),
    last_used_at: toIso(key.lastUsedAt),
    revoked_at: toIso(key.revokedAt),
    rotated_from_id: key.rotatedFromId,
    rotation: rotationByKeyId.get(key.id) ?? null,
  }));
}

/** Returns all keys, newest first. */
export const listApiKeys = (services: KeyViewServices): Promise<KeyView[]> => findKeys(services, {});

const keyNotFoundError = (id: number) => notFound(createReason('answer.noKey', { id }));

/** @throws ServiceError `not_found` if no key has the id */
export async function readApiKey(services: KeyViewServices, id: number): Promise<KeyView> {
  const [key] = await findKeys(services, { id });
  if (key) return key;
  throw keyNotFoundError(id);
}

/** @throws ServiceError `not_found` if no key has the id */
export async function requireKeyId({ prisma }: Database, id: number): Promise<void> {
  if ((await prisma.apiKey.count({ where: { id } })) === 0) throw keyNotFoundError(id);
}
