/* @name lock */
SELECT 1 AS "locked!" FROM pg_advisory_xact_lock(:key!::bigint);

/* @name lockShared */
SELECT 1 AS "locked!" FROM pg_advisory_xact_lock_shared(:key!::bigint);

/* @name tryLock */
-- Does not wait.
SELECT pg_try_advisory_xact_lock(:key!::bigint) AS "locked!";

/* @name tryLockShared */
-- Does not wait.
SELECT pg_try_advisory_xact_lock_shared(:key!::bigint) AS "locked!";

/* @name lockById */
SELECT 1 AS "locked!" FROM pg_advisory_xact_lock(:key!::int, :id!::int);
