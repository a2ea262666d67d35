// Written by `npm run sql` from token-budget.sql: change that file instead.
import { Statement } from '../db/statement';

export type DateOrString = Date | string;
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface FindOwnBudgetParams {
  apiKeyId: number;
}

export interface FindOwnBudgetRow {
  tokens: number;
}

export const findOwnBudget = new Statement<FindOwnBudgetParams, FindOwnBudgetRow>('token-budget.findOwnBudget', `
-- The tokens a day of a key with a budget of its own.
SELECT reply_tokens_per_day::float8 AS "tokens" FROM api_keys WHERE id = $1 AND reply_tokens_per_day IS NOT NULL`, ["apiKeyId"]);

export interface ReserveTokensParams {
  budget: NumberOrString;
  spender: string;
  tokens: NumberOrString;
}

export interface ReserveTokensRow {
  day: string;
}

export const reserveTokens = new Statement<ReserveTokensParams, ReserveTokensRow>('token-budget.reserveTokens', `
-- The row lock makes parallel requests see each other. Each is let through while used and reserved tokens are below the budget,
-- so that together they exceed it by at most one reservation.
INSERT INTO reply_token_days AS d (spender, day, reserved)
SELECT $1, (now() AT TIME ZONE 'UTC')::date, $2::bigint WHERE $3::bigint > 0
ON CONFLICT (spender, day) DO UPDATE SET reserved = d.reserved + excluded.reserved
 WHERE d.used + d.reserved < $3::bigint
RETURNING day::text AS "day"`, ["spender","tokens","budget"]);

export interface ReadUseParams {
  spender: string;
}

export interface ReadUseRow {
  seconds: number;
  used: number;
}

export const readUse = new Statement<ReadUseParams, ReadUseRow>('token-budget.readUse', `
-- What is used of today's budget, and the seconds until tomorrow.
SELECT coalesce((SELECT used FROM reply_token_days
                  WHERE spender = $1 AND day = (now() AT TIME ZONE 'UTC')::date), 0)::float8 AS "used",
       ceil(extract(epoch FROM ((now() AT TIME ZONE 'UTC')::date + 1)::timestamp - now() AT TIME ZONE 'UTC'))::int
         AS "seconds"`, ["spender"]);

export interface SettleTokensParams {
  day: DateOrString;
  spender: string;
  tokens: NumberOrString;
  used: NumberOrString;
}

export const settleTokens = new Statement<SettleTokensParams, never>('token-budget.settleTokens', `
UPDATE reply_token_days SET reserved = greatest(reserved - $1, 0), used = used + $2
 WHERE spender = $3 AND day = $4`, ["tokens","used","spender","day"]);

export interface ListTokenUseParams {
  spenders: Readonly<stringArray>;
}

export interface ListTokenUseRow {
  id: number;
  reserved: number;
  used: number;
}

export const listTokenUse = new Statement<ListTokenUseParams, ListTokenUseRow>('token-budget.listTokenUse', `
SELECT substr(spender, 5)::int AS "id", used::float8 AS "used", reserved::float8 AS "reserved"
  FROM reply_token_days WHERE day = (now() AT TIME ZONE 'UTC')::date AND spender = ANY($1)`, ["spenders"]);

export interface DeleteOldTokenDaysParams {
  days: number;
}

export const deleteOldTokenDays = new Statement<DeleteOldTokenDaysParams, never>('token-budget.deleteOldTokenDays', `
DELETE FROM reply_token_days WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int`, ["days"]);
