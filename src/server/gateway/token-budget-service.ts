import { ServiceError } from '../core/errors/errors';
import { because, type Reason } from '../core/errors/reason';
import type { Database } from '../db/client';
import * as sql from './token-budget.queries';

/** Who uses tokens: a key for its replies, all users of the playground together, or all users who reply from orders' pages. */
export type Spender = { apiKeyId: number } | 'trials' | 'drafts';

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

const nameOf = (spender: Spender) => (typeof spender === 'string' ? spender : `key:${spender.apiKeyId}`);

function usedUp(spender: Spender, budget: number, seconds: number): Reason {
  if (spender === 'trials') return because('service.trialTokensUsed', { budget, seconds });
  if (spender === 'drafts') return because('service.draftTokensUsed', { budget, seconds });
  return because('request.keyTokensUsed', { budget, seconds });
}

function reserved(spender: Spender, budget: number, seconds: number): Reason {
  if (spender === 'trials') return because('service.trialTokensReserved', { budget, seconds });
  if (spender === 'drafts') return because('service.draftTokensReserved', { budget, seconds });
  return because('request.keyTokensReserved', { budget, seconds });
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
  const apiKeyId = typeof spender === 'string' ? null : spender.apiKeyId;
  const [own] = apiKeyId === null ? [] : await sql.findOwnBudget.run(pool, { apiKeyId });
  const budget = own?.tokens ?? perDay;
  const [row] = await sql.reserveTokens.run(pool, { spender: name, budget, tokens });
  if (row) return { spender: name, day: row.day, tokens };
  const [state] = await sql.readUse.run(pool, { spender: name });
  const { used, seconds } = state!;
  const isUsedUp = used >= budget;
  const wait = isUsedUp ? seconds : Math.min(seconds, WRITING_SECONDS);
  const reason = (isUsedUp ? usedUp : reserved)(spender, budget, wait);
  throw new ServiceError('rate_limited', reason, { headers: { 'Retry-After': String(wait) } });
}

/** Replaces a reservation with the reply's actual use. */
export async function settleTokens({ pool }: Database, of: Reservation, used: number): Promise<void> {
  await sql.settleTokens.run(pool, { ...of, used });
}

/** Returns today's reply tokens of these keys; keys that used none are missing. */
export async function tokenUse({ pool }: Database, ids: readonly number[]): Promise<Map<number, TokenUse>> {
  const spenders = ids.map((apiKeyId) => nameOf({ apiKeyId }));
  const rows = await sql.listTokenUse.run(pool, { spenders });
  return new Map(rows.map(({ id, used, reserved }) => [id, { used, reserved }]));
}

/** Deletes the counts of days long past. */
export async function deleteOldTokenDays({ pool }: Database): Promise<void> {
  await sql.deleteOldTokenDays.run(pool, { days: RETENTION_DAYS });
}
