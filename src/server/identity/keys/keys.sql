/* @name findKey */
SELECT id, name, scopes AS "scopes!", address_ranges AS "address_ranges!", expires_at, revoked_at
  FROM api_keys WHERE hash = :hash!;

/* @name lockKey */
-- FOR UPDATE would block imports and the request log, which reference the key.
SELECT id FROM api_keys WHERE id = :id! FOR NO KEY UPDATE;

/* @name listRotations */
-- Lists the rotated keys among the given ones, each with the addresses that have used it since its rotation, most recent first.
-- A key that has not been used since then has one row without an address, a count or a time.
SELECT n.rotated_from_id AS "id!", n.id AS to_id, n.created_at AS at, u.address AS "address?", u.call_count AS "call_count?",
       u.last_at AS "last_at?"
  FROM api_keys n
  LEFT JOIN LATERAL (
    SELECT c.address, count(*)::int AS call_count, max(c.created_at) AS last_at
      FROM api_key_calls c WHERE c.api_key_id = n.rotated_from_id AND c.created_at >= n.created_at
     GROUP BY c.address
  ) u ON true
 WHERE n.rotated_from_id = ANY(:ids!::int[])
 ORDER BY n.id, u.last_at DESC;
