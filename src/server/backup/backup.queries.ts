// Written by `npm run sql` from backup.sql: change that file instead.
import { Statement } from '../db/statement';

export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface ListTablesRow {
  columns: stringArray;
  name: string;
  refers_to: stringArray;
}

export const listTables = new Statement<undefined, ListTablesRow>('backup.listTables', `
-- The service's tables with their columns and the other tables that each refers to.
SELECT c.relname::text AS "name",
       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS "columns",
       (SELECT coalesce(array_agg(DISTINCT f.confrelid::regclass::text), '{}') FROM pg_constraint f
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS "refers_to"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
 ORDER BY c.relname`);

export interface ReadOriginRow {
  created_at: Date;
  postgres: string;
}

export const readOrigin = new Statement<undefined, ReadOriginRow>('backup.readOrigin', `
SELECT current_setting('server_version') AS "postgres", now() AS "created_at"`);

export interface ListAppliedRow {
  name: string;
}

export const listApplied = new Statement<undefined, ListAppliedRow>('backup.listApplied', `
SELECT migration_name AS name FROM _prisma_migrations
 WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`);

export interface ListSequencesRow {
  name: string;
  value: string;
}

export const listSequences = new Statement<undefined, ListSequencesRow>('backup.listSequences', `
-- Those in use.
SELECT sequencename::text AS "name", last_value::text AS "value" FROM pg_sequences
 WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename`);

export interface SetSequenceParams {
  name: string;
  value: NumberOrString;
}

export interface SetSequenceRow {
  setval: string | null;
}

export const setSequence = new Statement<SetSequenceParams, SetSequenceRow>('backup.setSequence', `
SELECT setval(to_regclass($1), $2)`, ["name","value"]);
