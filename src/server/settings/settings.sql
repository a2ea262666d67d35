/* @name readDatabaseInfo */
SELECT current_setting('server_version') AS "version!", pg_database_size(current_database())::text AS "bytes!",
       (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS "connections!",
       current_setting('max_connections')::int AS "max_connections!";

/* @name listTables */
-- The largest tables. Row counts are PostgreSQL's estimates, because counting would read every table.
SELECT c.relname::text AS "name!", pg_total_relation_size(c.oid)::text AS "bytes!",
       greatest(c.reltuples, 0)::bigint::text AS "rows!"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
 ORDER BY pg_total_relation_size(c.oid) DESC, c.relname LIMIT 12;

/* @name hasQueues */
SELECT to_regclass('pgboss.job') IS NOT NULL AS "exist!";

/* @name listQueues */
-- Jobs by state. pg-boss keeps finished jobs for some days.
SELECT name, count(*) FILTER (WHERE state::text IN ('created', 'retry'))::int AS "waiting!",
       count(*) FILTER (WHERE state::text = 'active')::int AS "active!",
       count(*) FILTER (WHERE state::text = 'failed')::int AS "failed!",
       min(created_on) FILTER (WHERE state::text IN ('created', 'retry') AND start_after <= now()) AS oldest,
       max(completed_on) FILTER (WHERE state::text = 'completed') AS last_done
  FROM pgboss.job GROUP BY name ORDER BY name;
