import { ServiceError } from '../core/errors';
import { because, type Reason } from '../core/reason';
import type { Database } from '../db/client';

/** Who uses tokens: a key for its replies, or everybody who tries prompts in the playground together. */
export type Spender = { apiKeyId: number } | 'trials';

/** Tokens that are set aside for one reply, until it is known what it used. */
export interface Reservation {
  spender: string;
  /** The UTC day that they are counted for, whenever the reply ends. */
  day: string;
  tokens: number;
}

/** How many tokens a key's replies use today. */
export interface TokenUse {
  used: number;
  reserved: number;
}

/** When a caller may ask again whom only replies that are still being written are in the way of. */
const WRITING_SECONDS = 15;
const RETENTION_DAYS = 90;

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

const nameOf = (spender: Spender) => (spender === 'trials' ? spender : `key:${spender.apiKeyId}`);

/**
 * $1 spender, $2 its API key, $3 the configured budget, $4 tokens. The row's lock has parallel requests see each other: each
 * is let through while what is used and reserved is below the budget, so that together they exceed it by at most one
 * reservation.
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
 * Sets tokens aside for a reply, before it is asked for.
 *
 * @param perDay the budget of whoever has none of its own
 * @throws ServiceError `rate_limited` with Retry-After, where today's budget is used up or set aside for replies that are
 * being written
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

/** Counts what a reply has used in place of what was set aside for it. */
export async function settleTokens({ pool }: Database, of: Reservation, used: number): Promise<void> {
  await pool.query(SETTLE, [of.spender, of.day, of.tokens, used]);
}

/** What the replies of these keys use today; a key that used nothing is missing. */
export async function tokenUse({ pool }: Database, ids: readonly number[]): Promise<Map<number, TokenUse>> {
  const { rows } = await pool.query<TokenUse & { id: number }>(
    `SELECT substr(spender, 5)::int AS id, used::float8 AS used, reserved::float8 AS reserved
       FROM reply_token_days WHERE day = ${TODAY} AND spender = ANY($1)`,
    [ids.map((apiKeyId) => nameOf({ apiKeyId }))],
  );
  return new Map(rows.map(({ id, used, reserved }) => [id, { used, reserved }]));
}

/** Deletes the counts of days that are long over. */
export async function deleteOldTokenDays({ pool }: Database): Promise<void> {
  await pool.query(`DELETE FROM reply_token_days WHERE day < ${TODAY} - ${RETENTION_DAYS}`);
}
