/* @name readState */
-- Whether the database is read-only; and whether all shipped migrations have been applied, and none of them is unfinished. Those of
-- the next version do not count: this one works while they run, and after they have failed.
SELECT current_setting('transaction_read_only') = 'on' AS "read_only!",
       NOT EXISTS (SELECT FROM _prisma_migrations WHERE rolled_back_at IS NULL AND finished_at IS NULL
                      AND migration_name = ANY(:includedNames!::text[]))
         AND :includedNames!::text[] <@ ARRAY(SELECT migration_name::text FROM _prisma_migrations
                                         WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL) AS "migrated!";
