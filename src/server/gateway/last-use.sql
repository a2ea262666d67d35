/* @name touchKey */
UPDATE api_keys SET last_used_at = now()
 WHERE id = :id! AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute');

/* @name touchSession */
UPDATE user_sessions SET last_seen_at = now()
 WHERE id = :id! AND ended_at IS NULL AND last_seen_at < now() - interval '1 minute';

/* @name touchPersonalToken */
UPDATE personal_tokens SET last_used_at = now()
 WHERE id = :id! AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute');
