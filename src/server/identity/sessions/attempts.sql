/* @name addAttempt */
-- Counts an attempt and returns how many have been counted, or no row if there is still a wait. Counts before the secret is
-- checked, so that parallel attempts do not get more turns than sequential ones. Uses the clock because the transaction's now()
-- may be older than what a faster attempt has just written. Times are in seconds.
INSERT INTO sign_in_turns AS t (name, tries, next_at, expires_at)
VALUES (:name!, 1,
        clock_timestamp() + make_interval(secs => CASE WHEN :freeAttempts!::int > 1 THEN 0 ELSE :firstWait!::float8 END),
        clock_timestamp() + make_interval(secs => :expiresAfter!::float8))
ON CONFLICT (name) DO UPDATE SET
  tries = CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END,
  next_at = clock_timestamp() + make_interval(secs => CASE
    WHEN CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END < :freeAttempts! THEN 0
    ELSE least(:longestWait!::float8, :firstWait! * 2 ^ least(
           CASE WHEN t.expires_at <= clock_timestamp() THEN 1 ELSE t.tries + 1 END - :freeAttempts!, 10)) END),
  expires_at = clock_timestamp() + make_interval(secs => :expiresAfter!)
WHERE t.next_at <= clock_timestamp() OR t.expires_at <= clock_timestamp()
RETURNING tries;

/* @name removeAttempt */
UPDATE sign_in_turns SET tries = greatest(tries - 1, 0), next_at = clock_timestamp() WHERE name = :name!;

/* @name resetAttempts */
DELETE FROM sign_in_turns WHERE name = :name!;

/* @name readWait */
SELECT ceil(extract(epoch FROM next_at - clock_timestamp()))::int AS "seconds!" FROM sign_in_turns WHERE name = :name!;

/* @name deleteExpiredAttempts */
DELETE FROM sign_in_turns WHERE expires_at < clock_timestamp();
