// Written by `npm run sql` from last-use.sql: change that file instead.
import { Statement } from '../db/statement';

export interface TouchKeyParams {
  id: number;
}

export const touchKey = new Statement<TouchKeyParams, never>('last-use.touchKey', `
UPDATE api_keys SET last_used_at = now()
 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`, ["id"]);

export interface TouchSessionParams {
  id: string;
}

export const touchSession = new Statement<TouchSessionParams, never>('last-use.touchSession', `
UPDATE user_sessions SET last_seen_at = now()
 WHERE id = $1 AND ended_at IS NULL AND last_seen_at < now() - interval '1 minute'`, ["id"]);

export interface TouchPersonalTokenParams {
  id: number;
}

export const touchPersonalToken = new Statement<TouchPersonalTokenParams, never>('last-use.touchPersonalToken', `
UPDATE personal_tokens SET last_used_at = now()
 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`, ["id"]);
