import { ServiceError } from '../core/errors';
import { because, type Reason } from '../core/reason';
import type { Database } from '../db/client';

/** Who uses tokens: a key for its replies, or all playground users together. */
export type Spender = { apiKeyId: number } | 'trials';

/** Tokens reserved for one reply until its actual use is known. */
export interface Reservation {
  spender: string;
  /** The UTC day on which they count, whenever the reply ends. */
  day: string;
  tokens: number;
}

/** A key's token use by replies today. */
export interface TokenUse {
  used: number;
  reserved: number;
}

/** Retry-After, in seconds, when only replies in progress are in the way. */
const WRITING_SECONDS = 15;
const RETENTION_DAYS = 90;

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

const nameOf = (spender: Spender) => (spender === 'trials' ? spender : `key:${spender.apiKeyId}`);

/**
 * $1 spender, $2 its API key, $3 the configured budget, $4 tokens. The row lock makes parallel requests see each other. Each is
 * let through while used and reserved tokens are below the budget, so that together they exceed it by at most one reservation.
 */
const RESERVE = `
WITH budget AS (
  SELECT coalesce((SELECT reply_tokens_per_day FROM api_keys WHERE id = $2), $3)::bigint AS tokens
)
INSERT INTO reply_token_days AS d (spender, day, reserved)
SELECT $1, ${TODAY}, $4::bigint FROM budget WHERE tokens > 0
ON CONFLICT (spender, day) DO UPDATE SET reserved = d.reserved + $4::bigint
 WHERE d.used + d.reserved < (SELECT tokens FROM budget)
RETURNING day::text`;

const STATE = `
SELECT coalesce((SELECT reply_tokens_per_day FROM api_keys WHERE id = $2), $3)::float8 AS budget,
       coalesce((SELECT used FROM reply_token_days WHERE spender = $1 AND day = ${TODAY}), 0)::float8 AS used,
       ceil(extract(epoch FROM (${TODAY} + 1)::timestamp - now() AT TIME ZONE 'UTC'))::int AS seconds`;

const SETTLE = `
UPDATE reply_token_days SET reserved = greatest(reserved - $3, 0), used = used + $4 WHERE spender = $1 AND day = $2`;

function usedUp(spender: Spender, budget: number, seconds: number): Reason {
  return spender === 'trials'
    ? because('service.trialTokensUsed', { budget, seconds })
    : because('request.keyTokensUsed', { budget, seconds });
}

function reserved(spender: Spender, budget: number, seconds: number): Reason {
  return spender === 'trials'
    ? because('service.trialTokensReserved', { budget, seconds })
    : because('request.keyTokensReserved', { budget, seconds });
}

/**
 * Reserves tokens before a reply is requested.
 *
 * @param perDay the budget of a key without its own
 * @throws ServiceError `rate_limited` with Retry-After, if today's budget is used up or reserved for replies in progress
 */
export async function reserveTokens(
  { pool }: Database,
  spender: Spender,
  perDay: number,
  tokens: number,
): Promise<Reservation> {
  const name = nameOf(spender);
  const apiKeyId = spender === 'trials' ? null : spender.apiKeyId;
  const { rows } = await pool.query<{ day: string }>(RESERVE, [name, apiKeyId, perDay, tokens]);
  if (rows[0]) return { spender: name, day: rows[0].day, tokens };
  const state = await pool.query<{ budget: number; used: number; seconds: number }>(STATE, [
    name,
    apiKeyId,
    perDay,
  ]);
  const { budget, used, seconds } = state.rows[0]!;
  const isUsedUp = used >= budget;
  const wait = isUsedUp ? seconds : Math.min(seconds, WRITING_SECONDS);
  const reason = (isUsedUp ? usedUp : reserved)(spender, budget, wait);
  throw new ServiceError('rate_limited', reason, { headers: { 'Retry-After': String(wait) } });
}

/** Replaces a reservation with the reply's actual use. */
export async function settleTokens({ pool }: Database, of: Reservation, used: number): Promise<void> {
  await pool.query(SETTLE, [of.spender, of.day, of.tokens, used]);
}

/** Returns today's reply tokens of these keys; keys that used none are missing. */
export async function tokenUse({ pool }: Database, ids: readonly number[]): Promise<Map<number, TokenUse>> {
  const { rows } = await pool.query<TokenUse & { id: number }>(
    `SELECT substr(spender, 5)::int AS id, used::float8 AS used, reserved::float8 AS reserved
       FROM reply_token_days WHERE day = ${TODAY} AND spender = ANY($1)`,
    [ids.map((apiKeyId) => nameOf({ apiKeyId }))],
  );
  return new Map(rows.map(({ id, used, reserved }) => [id, { used, reserved }]));
}

/** Deletes the counts of days long past. */
export async function deleteOldTokenDays({ pool }: Database): Promise<void> {
  await pool.query(`DELETE FROM reply_token_days WHERE day < ${TODAY} - ${RETENTION_DAYS}`);
}
