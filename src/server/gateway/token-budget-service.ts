import { ServiceError } from '../core/errors/errors';
import { createReason, type Reason } from '../core/errors/reason';
import type { Database } from '../db/client';
import * as sql from './token-budget.queries';

/** Who uses tokens: a key for its replies, the playground for all trials, or the order pages for all drafts and translations. */
export type Spender = { apiKeyId: number } | 'trials' | 'drafts';

/** Tokens reserved for one reply or translation until the actual use is known. */
export interface Reservation {
  spender: string;
  /** The UTC day that the tokens count towards, even if the work ends on the next. */
  day: string;
  tokens: number;
}

/** The tokens that a key's replies have used and reserved today. */
export interface TokenUsage {
  used: number;
  reserved: number;
}

/** The maximum Retry-After, in seconds, when work in progress has reserved the rest of the budget. */
const MAX_RESERVATION_WAIT_SECONDS = 15;
/** How much longer than the work itself a reservation lasts, because it is made before and replaced after the work. */
const RESERVATION_MARGIN_SECONDS = 60;
const RETENTION_DAYS = 90;

const spenderNameOf = (spender: Spender) =>
  typeof spender === 'string' ? spender : `key:${spender.apiKeyId}`;

function usedUpReason(spender: Spender, budget: number, seconds: number): Reason {
  if (spender === 'trials') return createReason('service.trialTokensUsed', { budget });
  if (spender === 'drafts') return createReason('service.draftTokensUsed', { budget });
  return createReason('request.keyTokensUsed', { budget, seconds });
}

function tokensReservedReason(spender: Spender, budget: number, seconds: number): Reason {
  if (spender === 'trials') return createReason('service.trialTokensReserved', { budget, seconds });
  if (spender === 'drafts') return createReason('service.draftTokensReserved', { budget, seconds });
  return createReason('request.keyTokensReserved', { budget, seconds });
}

/**
 * Reserves tokens for a reply or translation before it is requested. If they are never settled, because the server crashes, they are
 * released once none of the spender's work can be in progress any more.
 *
 * @param defaultBudget the daily budget of a spender that has none of its own
 * @param maxWorkMs how long the work may take
 * @throws ServiceError `rate_limited` with Retry-After, if today's budget is used up or reserved for work in progress
 */
export async function reserveTokens(
  { pool }: Database,
  spender: Spender,
  defaultBudget: number,
  tokens: number,
  maxWorkMs: number,
): Promise<Reservation> {
  const spenderName = spenderNameOf(spender);
  const apiKeyId = typeof spender === 'string' ? null : spender.apiKeyId;
  const [ownBudget] = apiKeyId === null ? [] : await sql.findOwnBudget.run(pool, { apiKeyId });
  const budget = ownBudget?.tokens ?? defaultBudget;
  const maxSeconds = maxWorkMs / 1000 + RESERVATION_MARGIN_SECONDS;
  const [row] = await sql.reserveTokens.run(pool, { spender: spenderName, budget, tokens, maxSeconds });
  if (row) return { spender: spenderName, day: row.day, tokens };
  const [usage] = await sql.readUsage.run(pool, { spender: spenderName });
  const { used, seconds } = usage!;
  const isUsedUp = used >= budget;
  const waitSeconds = isUsedUp ? seconds : Math.min(seconds, MAX_RESERVATION_WAIT_SECONDS);
  const reason = (isUsedUp ? usedUpReason : tokensReservedReason)(spender, budget, waitSeconds);
  throw new ServiceError('rate_limited', reason, { headers: { 'Retry-After': String(waitSeconds) } });
}

/** Replaces a reservation with the tokens that were actually used. */
export async function settleTokens(
  { pool }: Database,
  reservation: Reservation,
  usedTokens: number,
): Promise<void> {
  await sql.settleTokens.run(pool, { ...reservation, usedTokens });
}

/** Returns the tokens that these keys have used and reserved for replies today. Leaves out keys that have no entry for today. */
export async function readTokenUsage(
  { pool }: Database,
  ids: readonly number[],
): Promise<Map<number, TokenUsage>> {
  const spenders = ids.map((apiKeyId) => spenderNameOf({ apiKeyId }));
  const rows = await sql.listTokenUsage.run(pool, { spenders });
  return new Map(rows.map(({ id, used, reserved }) => [id, { used, reserved }]));
}

/** Deletes counts older than {@link RETENTION_DAYS} days. */
export async function deleteOldTokenDays({ pool }: Database): Promise<void> {
  await sql.deleteOldTokenDays.run(pool, { days: RETENTION_DAYS });
}
