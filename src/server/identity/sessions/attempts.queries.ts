// Written by `npm run sql` from attempts.sql: change that file instead.
import { Statement } from '../../db/statement';

export interface AddTryParams {
  firstWait: number;
  forgottenAfter: number;
  free: number;
  longestWait: number;
  name: string;
}

export interface AddTryRow {
  tries: number;
}

export const addTry = new Statement<AddTryParams, AddTryRow>('attempts.addTry', `
-- Counts an attempt and returns how many have been counted, or no row if there is still a wait. Counts before the secret is
-- checked, so that parallel attempts do not get more turns than sequential ones. Uses the clock because the transaction's now()
-- may be older than what a faster attempt has just written. Times are in seconds.
INSERT INTO sign_in_turns AS t (name, tries, next_at, expires_at)
VALUES ($1, 1,
        clock_timestamp() + make_interval(secs => CASE WHEN $2::int > 1 THEN 0 ELSE $3::float8 END),
        clock_timestamp() + make_interval(secs => $4::float8))
ON CONFLICT (name) DO UPDATE SET
  tries = CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END,
  next_at = clock_timestamp() + make_interval(secs => CASE
    WHEN CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END < $2 THEN 0
    ELSE least($5::float8, $3 * 2 ^ least(
           CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END - $2, 10)) END),
  expires_at = clock_timestamp() + make_interval(secs => $4)
WHERE t.next_at <= clock_timestamp() OR t.expires_at <= clock_timestamp()
RETURNING tries`, ["name","free","firstWait","forgottenAfter","longestWait"]);

export interface RemoveTryParams {
  name: string;
}

export const removeTry = new Statement<RemoveTryParams, never>('attempts.removeTry', `
UPDATE sign_in_turns SET tries = greatest(tries - 1, 0), next_at = clock_timestamp() WHERE name = $1`, ["name"]);

export interface ResetTriesParams {
  name: string;
}

export const resetTries = new Statement<ResetTriesParams, never>('attempts.resetTries', `
DELETE FROM sign_in_turns WHERE name = $1`, ["name"]);

export interface ReadWaitParams {
  name: string;
}

export interface ReadWaitRow {
  seconds: number;
}

export const readWait = new Statement<ReadWaitParams, ReadWaitRow>('attempts.readWait', `
SELECT ceil(extract(epoch FROM next_at - clock_timestamp()))::int AS "seconds" FROM sign_in_turns WHERE name = $1`, ["name"]);

export const deleteForgottenTries = new Statement<undefined, never>('attempts.deleteForgottenTries', `
DELETE FROM sign_in_turns WHERE expires_at < clock_timestamp()`);
