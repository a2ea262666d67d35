/* @name countOthers */
-- The connections of other processes: those with another name.
SELECT count(*)::int AS "count!" FROM pg_stat_activity
 WHERE backend_type = 'client backend' AND application_name <> :name!;
