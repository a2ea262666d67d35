/* @name findToken */
SELECT id, user_id, scopes AS "scopes!" FROM personal_tokens
 WHERE hash = :hash! AND revoked_at IS NULL AND expires_at > now();
