/* @name listTables */
-- The service's tables. Each has a list of its columns except generated ones, and a list of the other tables it refers to.
SELECT c.relname::text AS "name!",
       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS "columns!",
       (SELECT coalesce(array_agg(DISTINCT f.confrelid::regclass::text), '{}') FROM pg_constraint f
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS "refers_to!"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
 ORDER BY c.relname;

/* @name listTablesToLock */
-- The tables that a backup reads: those of listTables, and the list of applied migrations.
SELECT c.relname::text AS "name!" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') ORDER BY c.relname;

/* @name readOrigin */
SELECT current_setting('server_version') AS "postgres!", now() AS "created_at!";

/* @name listAppliedMigrations */
SELECT migration_name AS name FROM _prisma_migrations
 WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name;

/* @name listSequences */
-- The sequences that have issued a value.
SELECT sequencename::text AS "name!", last_value::text AS "value!" FROM pg_sequences
 WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename;

/* @name setSequence */
SELECT setval(to_regclass(:name!), :value!);
