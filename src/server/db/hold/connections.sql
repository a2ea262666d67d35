/* @name countOtherConnections */
-- Counts the connections of other processes, which have another application name.
SELECT count(*)::int AS "count!" FROM pg_stat_activity
 WHERE backend_type = 'client backend' AND application_name <> :name!;

/* @name clearConnectionSnapshot */
-- In a transaction, PostgreSQL shows pg_stat_activity as it was at the first query until this is called.
SELECT pg_stat_clear_snapshot()::text AS "done";
