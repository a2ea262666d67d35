import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';
import { ORDER_STATEMENTS } from './composed/orders';
import { SHIPMENT_STATEMENTS } from './composed/shipments';
import { STATISTICS_STATEMENTS } from './composed/statistics';

/** Statements that pgtyped cannot check, because they are composed. Each domain lists its own in the folder composed. */
const STATEMENTS = [...ORDER_STATEMENTS, ...SHIPMENT_STATEMENTS, ...STATISTICS_STATEMENTS];

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Returns the statement's columns with their types, as PostgreSQL sees them. */
async function readColumns(text: string, values: readonly unknown[]): Promise<Record<string, string>> {
  const { fields } = await client.query(text, [...values]);
  const { rows } = await client.query<{ name: string; type: string }>(
    'SELECT name, format_type(oid, NULL) AS type FROM unnest($1::text[], $2::oid[]) AS f(name, oid)',
    [fields.map((field) => field.name), fields.map((field) => field.dataTypeID)],
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}

describe.each(STATEMENTS)('$name', ({ columns, variants }) => {
  it('fits the migrated schema and returns the declared columns, in every form', async () => {
    expect(variants.length).toBeGreaterThan(0);
    for (const { name, text, values, canLimitOnShards = false } of variants) {
      await client.query(`SET citus.subquery_pushdown TO ${canLimitOnShards}`);
      expect(
        await readColumns(text, values),
        `${name}: the columns declared in tests/integration/db/composed/ differ from the statement's`,
      ).toEqual(columns);
    }
  });
});
