// Written by `npm run sql` from token-budget.sql: change that file instead.
import { Statement } from '../db/statement';

export type DateOrString = Date | string;
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface ReserveTokensParams {
  apiKeyId: number | null;
  perDay: number;
  spender: string;
  tokens: NumberOrString;
}

export interface ReserveTokensRow {
  day: string;
}

export const reserveTokens = new Statement<ReserveTokensParams, ReserveTokensRow>('token-budget.reserveTokens', `
-- The row lock makes parallel requests see each other. Each is let through while used and reserved tokens are below the budget,
-- so that together they exceed it by at most one reservation. \`perDay\` is the budget of a key without its own.
WITH budget AS (
  SELECT coalesce((SELECT reply_tokens_per_day FROM api_keys WHERE id = $1), $2)::bigint AS tokens
)
INSERT INTO reply_token_days AS d (spender, day, reserved)
SELECT $3, (now() AT TIME ZONE 'UTC')::date, $4::bigint FROM budget WHERE tokens > 0
ON CONFLICT (spender, day) DO UPDATE SET reserved = d.reserved + $4
 WHERE d.used + d.reserved < (SELECT tokens FROM budget)
RETURNING day::text AS "day"`, ["apiKeyId","perDay","spender","tokens"]);

export interface ReadBudgetParams {
  apiKeyId: number | null;
  perDay: number;
  spender: string;
}

export interface ReadBudgetRow {
  budget: number;
  seconds: number;
  used: number;
}

export const readBudget = new Statement<ReadBudgetParams, ReadBudgetRow>('token-budget.readBudget', `
-- Today's budget, what is used of it, and the seconds until tomorrow.
SELECT coalesce((SELECT reply_tokens_per_day FROM api_keys WHERE id = $1), $2)::float8 AS "budget",
       coalesce((SELECT used FROM reply_token_days
                  WHERE spender = $3 AND day = (now() AT TIME ZONE 'UTC')::date), 0)::float8 AS "used",
       ceil(extract(epoch FROM ((now() AT TIME ZONE 'UTC')::date + 1)::timestamp - now() AT TIME ZONE 'UTC'))::int
         AS "seconds"`, ["apiKeyId","perDay","spender"]);

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
