/* @name findSession */
SELECT u.id, u.email, u.name, u.role, u.locale, u.locale_chosen, u.time_zone,
       u.two_factor_required AND u.totp_enabled_at IS NULL AS "must_set_up!",
       s.confirmed_at > now() - make_interval(mins => :confirmedMinutes!) AS "confirmed!"
  FROM user_sessions s JOIN users u ON u.id = s.user_id
 WHERE s.id = :sessionId! AND s.ended_at IS NULL AND s.last_seen_at > now() - make_interval(hours => :idleHours!)
   AND s.created_at > now() - make_interval(days => :days!) AND u.deactivated_at IS NULL;

/* @name listSessions */
-- The sessions that findSession would find, most recently used first; at most 200.
SELECT s.id, s.method, s.created_at, s.last_seen_at, s.address, s.user_agent
  FROM user_sessions s JOIN users u ON u.id = s.user_id
 WHERE u.id = :userId! AND s.ended_at IS NULL AND s.last_seen_at > now() - make_interval(hours => :idleHours!)
   AND s.created_at > now() - make_interval(days => :days!) AND u.deactivated_at IS NULL
 ORDER BY s.last_seen_at DESC, s.id LIMIT 200;

/* @name deleteOldSessions */
DELETE FROM user_sessions WHERE last_seen_at < now() - make_interval(days => :days!);

/* @name takeTotpStep */
-- Each code of the authenticator app is valid once, even if two requests use it at the same time.
UPDATE users SET totp_last_step = :step!
 WHERE id = :userId! AND totp_enabled_at IS NOT NULL AND (totp_last_step IS NULL OR totp_last_step < :step!)
RETURNING id;

/* @name consumeRecoveryCode */
UPDATE recovery_codes SET used_at = now() WHERE user_id = :userId! AND hash = :hash! AND used_at IS NULL RETURNING id;
