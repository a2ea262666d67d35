import { ServiceError } from '../../core/errors';
import { because } from '../../core/reason';
import type { Database } from '../../db/client';
import { type TokenUse, tokenUse } from '../../gateway/token-budget-service';

/** Who used a key from where, newest first. */
interface KeyUser {
  address: string | null;
  calls: number;
  lastAt: Date;
}

/** What became of a key that another took the place of. */
interface KeyRotation {
  toId: number;
  at: Date;
  /** Its calls since then, as far as the request log reaches, and the addresses of the latest. */
  callsSince: number;
  usersSince: KeyUser[];
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
  scopes: string[];
  addressRanges: string[];
  /** Null for the configured number. */
  replyTokensPerDay: number | null;
  /** What its replies use today, in UTC. */
  tokensToday: TokenUse;
  rotatedFromId: number | null;
  /** Null while no other key has taken its place. */
  rotation: KeyRotation | null;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export function keyState(key: Pick<ApiKeyView, 'expiresAt' | 'revokedAt'>, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt.getTime() <= now ? 'expired' : 'active';
}

/** Addresses that are named for each rotated key. */
const NAMED_ADDRESSES = 20;

const USED_SINCE = `
SELECT n.rotated_from_id AS id, n.id AS to_id, n.created_at AS at, coalesce(sum(u.calls), 0)::int AS calls,
       coalesce((json_agg(json_build_object('address', u.address, 'calls', u.calls, 'last_at', u.last_at)
                 ORDER BY u.last_at DESC) FILTER (WHERE u.calls > 0)), '[]') AS users
  FROM api_keys n
  LEFT JOIN LATERAL (
    SELECT c.address, count(*)::int AS calls, max(c.created_at) AS last_at
      FROM api_key_calls c WHERE c.api_key_id = n.rotated_from_id AND c.created_at >= n.created_at
     GROUP BY c.address
  ) u ON true
 WHERE n.rotated_from_id = ANY($1)
 GROUP BY n.id`;

interface RotationRow {
  id: number;
  to_id: number;
  at: Date;
  calls: number;
  users: { address: string | null; calls: number; last_at: string }[];
}

/** What became of those of the keys that were rotated, and who still uses them. */
async function rotationsOf(db: Database, ids: readonly number[]): Promise<Map<number, KeyRotation>> {
  const { rows } = await db.pool.query<RotationRow>(USED_SINCE, [ids]);
  return new Map(
    rows.map(({ id, to_id: toId, at, calls, users }) => [
      id,
      {
        toId,
        at,
        callsSince: calls,
        usersSince: users
          .slice(0, NAMED_ADDRESSES)
          .map((user) => ({ address: user.address, calls: user.calls, lastAt: new Date(user.last_at) })),
      },
    ]),
  );
}

async function findKeys(db: Database, where: { id?: number }): Promise<ApiKeyView[]> {
  const keys = await db.prisma.apiKey.findMany({
    where,
    omit: { hash: true, createdByUserId: true },
    orderBy: { id: 'desc' },
  });
  const ids = keys.map(({ id }) => id);
  const [rotations, tokens] = await Promise.all([rotationsOf(db, ids), tokenUse(db, ids)]);
  return keys.map((key) => ({
    ...key,
    tokensToday: tokens.get(key.id) ?? { used: 0, reserved: 0 },
    rotation: rotations.get(key.id) ?? null,
  }));
}

/** All keys, newest first. */
export const listApiKeys = (db: Database): Promise<ApiKeyView[]> => findKeys(db, {});

/** @throws ServiceError `not_found` where no key has the id */
export async function readApiKey(db: Database, id: number): Promise<ApiKeyView> {
  const [key] = await findKeys(db, { id });
  if (key) return key;
  throw new ServiceError('not_found', because('answer.noKey', { id }));
}
