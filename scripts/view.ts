import pg from 'pg';
import { withTemporaryDatabase } from './temporary-database';

/**
 * npm run db:view -- <name>: prints the columns of a view in the order in which the migrations created them. A migration that
 * adds a column to the view has to list them in this order, with the new one at the end (docs/recipes.md).
 */
async function main(): Promise<void> {
  const name = process.argv[2];
  // The usage lists the views, so it needs the database too.
  const columnsByView = await withTemporaryDatabase(readColumnsByView);
  const columns = columnsByView.get(name ?? '');
  if (!columns) {
    throw new Error(`Usage: npm run db:view -- <name>, one of ${[...columnsByView.keys()].join(', ')}.`);
  }
  console.log(columns.map((column) => `"${column}"`).join(', '));
}

async function readColumnsByView(url: string): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; columns: string[] }>(`
      SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
        FROM information_schema.columns JOIN information_schema.views USING (table_schema, table_name)
       WHERE table_schema = 'public' GROUP BY table_name ORDER BY table_name`);
    return new Map(rows.map((row) => [row.name, row.columns]));
  } finally {
    await client.end();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
