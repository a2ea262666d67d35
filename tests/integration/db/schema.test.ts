import path from 'node:path';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { createFullSchemaSql } from '../../../scripts/schema-script';
import { OBSERVATION_KINDS, ORDER_STATUSES, TRACKING_STATUSES } from '../../../src/server/core/statuses';
import { createTestDatabase, dropDatabase } from '../../support/database/test-database';

/**
 * Returns one line for each column, constraint, index, trigger, function and enum, and every line of every view. All lines are
 * sorted, because the columns that `*` means in a view may be in another order.
 */
const SELECT_SCHEMA_LINES = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable
         || coalesce(' default ' || column_default, '') || coalesce(' ' || numeric_precision || ',' || numeric_scale, '')
         || coalesce(' ' || character_maximum_length, '') AS line
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
  UNION ALL
  SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
   WHERE connamespace = 'public'::regnamespace AND conrelid <> coalesce(to_regclass('_prisma_migrations'), 0)
  UNION ALL
  SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
  UNION ALL
  SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT 'view ' || viewname || ' ' || rtrim(trim(line), ',;')
    FROM pg_views, regexp_split_to_table(definition, '\n') AS line WHERE schemaname = 'public'
  UNION ALL
  SELECT 'function ' || pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
   WHERE p.pronamespace = 'public'::regnamespace AND l.lanname <> 'c'
  UNION ALL
  SELECT 'enum ' || t.typname || ' ' || string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder)
    FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid GROUP BY t.typname
  ORDER BY 1`;

// A cluster's coordinator has other foreign keys and the tables of Citus.
it.skipIf(inject('workers').length > 0)(
  'the migrations create the columns, constraints, indexes, triggers, views, functions and enums of schema.prisma and beyond-prisma.sql',
  async () => {
    const database = await createTestDatabase();
    const expectedName = `expected_schema_${process.pid}`;
    const serverClient = new pg.Client({ connectionString: inject('serverUrl') });
    await serverClient.connect();
    await serverClient.query(`CREATE DATABASE ${expectedName}`);
    const url = new URL(inject('serverUrl'));
    url.pathname = `/${expectedName}`;
    const expectedClient = new pg.Client({ connectionString: url.href });
    await expectedClient.connect();
    try {
      await expectedClient.query(await createFullSchemaSql(path.resolve('prisma')));
      const linesOf = (rows: { line: string }[]) => rows.map(({ line }) => line);
      const migratedLines = linesOf(await database.query<{ line: string }>(SELECT_SCHEMA_LINES));
      expect(migratedLines.length).toBeGreaterThan(500);
      const { rows: expectedRows } = await expectedClient.query<{ line: string }>(SELECT_SCHEMA_LINES);
      expect(
        migratedLines,
        'The migrations differ from schema.prisma and beyond-prisma.sql. Add what is missing to the new migration; for the ' +
          'columns of a view see "A new column and views" in docs/recipes.md',
      ).toEqual(linesOf(expectedRows));
    } finally {
      await expectedClient.end();
      await serverClient.end();
      await dropDatabase(expectedName);
      await database.drop();
    }
  },
);

it('the statuses in the database are those of the code, in the same order', async () => {
  const database = await createTestDatabase();
  try {
    const [row] = await database.query(`
      SELECT enum_range(NULL::order_status)::text[] AS order_statuses,
             enum_range(NULL::tracking_status)::text[] AS tracking_statuses,
             enum_range(NULL::observation_kind)::text[] AS observation_kinds`);
    expect(row).toEqual({
      order_statuses: ORDER_STATUSES,
      tracking_statuses: TRACKING_STATUSES,
      observation_kinds: OBSERVATION_KINDS,
    });
  } finally {
    await database.drop();
  }
});
