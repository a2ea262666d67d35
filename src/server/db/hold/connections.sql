/* @name countOtherConnections */
-- Counts the connections of other processes, which have another application name.
SELECT count(*)::int AS "count!" FROM pg_stat_activity
 WHERE backend_type = 'client backend' AND application_name <> :name!;
