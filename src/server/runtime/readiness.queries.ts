// Written by `npm run sql` from readiness.sql: change that file instead.
import { Statement } from '../db/statement';

export type stringArray = (string)[];

export interface ReadStateParams {
  shipped: Readonly<stringArray>;
}

export interface ReadStateRow {
  migrated: boolean;
  read_only: boolean;
}

export const readState = new Statement<ReadStateParams, ReadStateRow>('readiness.readState', `
-- Whether the database only reads, and whether these migrations have been applied, and none is left unfinished.
SELECT current_setting('transaction_read_only') = 'on' AS "read_only",
       NOT EXISTS (SELECT FROM _prisma_migrations WHERE rolled_back_at IS NULL AND finished_at IS NULL)
         AND $1::text[] <@ ARRAY(SELECT migration_name::text FROM _prisma_migrations
                                         WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL) AS "migrated"`, ["shipped"]);
