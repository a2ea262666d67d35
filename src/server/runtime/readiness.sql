/* @name readState */
-- Whether the database is read-only; and whether all shipped migrations have been applied and no migration is unfinished.
SELECT current_setting('transaction_read_only') = 'on' AS "read_only!",
       NOT EXISTS (SELECT FROM _prisma_migrations WHERE rolled_back_at IS NULL AND finished_at IS NULL)
         AND :includedNames!::text[] <@ ARRAY(SELECT migration_name::text FROM _prisma_migrations
                                         WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL) AS "migrated!";
