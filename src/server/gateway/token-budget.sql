/* @name findOwnBudget */
-- The daily budget of a key that has its own.
SELECT reply_tokens_per_day::float8 AS "tokens!" FROM api_keys WHERE id = :apiKeyId! AND reply_tokens_per_day IS NOT NULL;

/* @name reserveTokens */
-- The row lock makes parallel requests see each other. Each is let through while used and reserved tokens are below the budget,
-- so that together they exceed it by at most one reservation. What is still reserved after `reserved_until` is released.
INSERT INTO reply_token_days AS d (spender, day, reserved, reserved_until)
SELECT :spender!, (now() AT TIME ZONE 'UTC')::date, :tokens!::bigint, now() + make_interval(secs => :maxSeconds!)
 WHERE :budget!::bigint > 0
ON CONFLICT (spender, day) DO UPDATE
   SET reserved = CASE WHEN d.reserved_until < now() THEN 0 ELSE d.reserved END + excluded.reserved,
       reserved_until = greatest(d.reserved_until, excluded.reserved_until)
 WHERE d.used + CASE WHEN d.reserved_until < now() THEN 0 ELSE d.reserved END < :budget!::bigint
RETURNING day::text AS "day!";

/* @name readUsage */
-- How much of today's budget has been used, and the seconds until the next UTC day.
SELECT coalesce((SELECT used FROM reply_token_days
                  WHERE spender = :spender! AND day = (now() AT TIME ZONE 'UTC')::date), 0)::float8 AS "used!",
       ceil(extract(epoch FROM ((now() AT TIME ZONE 'UTC')::date + 1)::timestamp - now() AT TIME ZONE 'UTC'))::int
         AS "seconds!";

/* @name settleTokens */
UPDATE reply_token_days SET reserved = greatest(reserved - :tokens!, 0), used = used + :usedTokens!
 WHERE spender = :spender! AND day = :day!;

/* @name listTokenUsage */
SELECT substr(spender, 5)::int AS "id!", used::float8 AS "used!",
       CASE WHEN reserved_until < now() THEN 0 ELSE reserved::float8 END AS "reserved!"
  FROM reply_token_days WHERE day = (now() AT TIME ZONE 'UTC')::date AND spender = ANY(:spenders!);

/* @name deleteOldTokenDays */
DELETE FROM reply_token_days WHERE day < (now() AT TIME ZONE 'UTC')::date - :days!::int;
