// Written by `npm run sql` from sessions.sql: change that file instead.
import { Statement } from '../../db/statement';

export type role = 'admin' | 'operator' | 'owner' | 'viewer';
export type NumberOrString = number | string;

export interface FindSessionParams {
  confirmedMinutes: number;
  days: number;
  idleHours: number;
  sessionId: string;
}

export interface FindSessionRow {
  confirmed: boolean;
  email: string;
  id: number;
  locale: string;
  must_set_up: boolean;
  name: string;
  role: role;
  time_zone: string | null;
}

export const findSession = new Statement<FindSessionParams, FindSessionRow>('sessions.findSession', `
SELECT u.id, u.email, u.name, u.role, u.locale, u.time_zone,
       u.two_factor_required AND u.totp_enabled_at IS NULL AS "must_set_up",
       s.confirmed_at > now() - make_interval(mins => $1) AS "confirmed"
  FROM user_sessions s JOIN users u ON u.id = s.user_id
 WHERE s.id = $2 AND s.ended_at IS NULL AND s.last_seen_at > now() - make_interval(hours => $3)
   AND s.created_at > now() - make_interval(days => $4) AND u.deactivated_at IS NULL`, ["confirmedMinutes","sessionId","idleHours","days"]);

export interface ListSessionsParams {
  days: number;
  idleHours: number;
  userId: number;
}

export interface ListSessionsRow {
  address: string | null;
  created_at: Date;
  id: string;
  last_seen_at: Date;
  method: string;
  user_agent: string | null;
}

export const listSessions = new Statement<ListSessionsParams, ListSessionsRow>('sessions.listSessions', `
-- The sessions that findSession would find, most recently used first.
SELECT s.id, s.method, s.created_at, s.last_seen_at, s.address, s.user_agent
  FROM user_sessions s JOIN users u ON u.id = s.user_id
 WHERE u.id = $1 AND s.ended_at IS NULL AND s.last_seen_at > now() - make_interval(hours => $2)
   AND s.created_at > now() - make_interval(days => $3) AND u.deactivated_at IS NULL
 ORDER BY s.last_seen_at DESC, s.id LIMIT 200`, ["userId","idleHours","days"]);

export interface DeleteOldSessionsParams {
  days: number;
}

export const deleteOldSessions = new Statement<DeleteOldSessionsParams, never>('sessions.deleteOldSessions', `
DELETE FROM user_sessions WHERE last_seen_at < now() - make_interval(days => $1)`, ["days"]);

export interface TakeTotpStepParams {
  step: NumberOrString;
  userId: number;
}

export interface TakeTotpStepRow {
  id: number;
}

export const takeTotpStep = new Statement<TakeTotpStepParams, TakeTotpStepRow>('sessions.takeTotpStep', `
-- Each code of the app is valid once, even if two requests use it at the same time.
UPDATE users SET totp_last_step = $1
 WHERE id = $2 AND totp_enabled_at IS NOT NULL AND (totp_last_step IS NULL OR totp_last_step < $1)
RETURNING id`, ["step","userId"]);

export interface ConsumeRecoveryCodeParams {
  hash: Buffer;
  userId: number;
}

export interface ConsumeRecoveryCodeRow {
  id: number;
}

export const consumeRecoveryCode = new Statement<ConsumeRecoveryCodeParams, ConsumeRecoveryCodeRow>('sessions.consumeRecoveryCode', `
UPDATE recovery_codes SET used_at = now() WHERE user_id = $1 AND hash = $2 AND used_at IS NULL RETURNING id`, ["userId","hash"]);
