/* @name saveRecord */
INSERT INTO oauth_records (model, id_hash, payload, grant_id, uid, client_id, user_id, expires_at)
VALUES (:model!, :idHash!, :payload!, :grantId, :uid, :clientId, :userId,
        now() + make_interval(secs => :expiresIn::double precision))
ON CONFLICT (model, id_hash) DO UPDATE
   SET payload = EXCLUDED.payload, grant_id = EXCLUDED.grant_id, uid = EXCLUDED.uid, client_id = EXCLUDED.client_id,
       user_id = EXCLUDED.user_id, expires_at = EXCLUDED.expires_at;

/* @name findRecord */
SELECT payload, consumed_at FROM oauth_records WHERE model = :model! AND id_hash = :idHash!;

/* @name findRecordByUid */
SELECT payload, consumed_at FROM oauth_records WHERE model = :model! AND uid = :uid! ORDER BY created_at DESC LIMIT 1;

/* @name deleteRecord */
DELETE FROM oauth_records WHERE model = :model! AND id_hash = :idHash!;

/* @name deleteSession */
DELETE FROM oauth_records WHERE model = 'Session' AND uid = :uid!;

/* @name deleteRecordsOfGrant */
DELETE FROM oauth_records WHERE model = :model! AND grant_id = :grantId!;

/* @name consumeRecord */
UPDATE oauth_records SET consumed_at = now()
 WHERE model = :model! AND id_hash = :idHash! AND consumed_at IS NULL
RETURNING consumed_at;

/* @name endGrantOfRecord */
-- Deletes the record's grant and everything issued under it.
DELETE FROM oauth_records r USING oauth_records reused_record
 WHERE reused_record.model = :model! AND reused_record.id_hash = :idHash!
   AND (r.grant_id = reused_record.grant_id
        OR (r.model = 'Grant' AND r.id_hash = sha256(convert_to(reused_record.grant_id, 'UTF8'))));

/* @name findAccessToken */
SELECT t.user_id, t.payload ->> 'scope' AS scope
  FROM oauth_records t
  JOIN oauth_clients c ON c.id = t.client_id AND c.revoked_at IS NULL
 WHERE t.model IN ('AccessToken', 'ClientCredentials') AND t.id_hash = :idHash! AND t.expires_at > now()
   AND (t.model = 'ClientCredentials' OR EXISTS (
        SELECT FROM oauth_records g
         WHERE g.model = 'Grant' AND g.id_hash = sha256(convert_to(t.grant_id, 'UTF8')) AND g.expires_at > now()));

/* @name deleteExpiredRecords */
DELETE FROM oauth_records WHERE expires_at < now();

/* @name listConsents */
-- Lists each client once, with all the scopes that the user has granted it in any browser.
SELECT g.client_id AS "client_id!", c.name, min(g.created_at) AS "since!", max(g.expires_at) AS "until!",
       coalesce(array_agg(DISTINCT s.scope ORDER BY s.scope) FILTER (WHERE s.scope <> ''), '{}') AS "scopes!"
  FROM oauth_records g
  JOIN oauth_clients c ON c.id = g.client_id AND c.revoked_at IS NULL
  LEFT JOIN LATERAL unnest(string_to_array(g.payload #>> '{openid,scope}', ' ')) AS s(scope) ON true
 WHERE g.model = 'Grant' AND g.user_id = :userId! AND g.expires_at > now()
 GROUP BY g.client_id, c.name ORDER BY c.name, g.client_id;

/* @name lockClient */
SELECT id FROM oauth_clients WHERE id = :id! FOR NO KEY UPDATE;
