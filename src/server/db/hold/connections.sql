/* @name countOtherConnections */
-- Counts the connections of other processes, which have another application name.
SELECT count(*)::int AS "count!" FROM pg_stat_activity
 WHERE backend_type = 'client backend' AND application_name <> :name!;

/* @name forgetConnections */
-- Otherwise, all counts in a transaction are that of the first: PostgreSQL keeps the view as it was then.
SELECT pg_stat_clear_snapshot()::text AS "done";
