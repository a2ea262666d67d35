import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesIn } from '../../../scripts/queries';

const SERVER = path.resolve('src/server');
/** Folders whose statements are still to be moved, or are composed and have a test of their own. */
const ELSEWHERE = ['catalog', 'orders', 'overview', 'tracking'];

/** Files that pass SQL to the database themselves, not from a `.sql` file (docs/decisions/0007-checked-sql.md). */
const RAW: Record<string, string> = {
  'backup/create-service.ts': 'COPY of tables by name, and the transaction around it',
  'backup/restore-service.ts':
    'COPY, TRUNCATE and ANALYZE of tables by name, and the transaction around them',
  'core/postgres.ts': 'the beginning and end of transactions',
  'core/snapshot.ts': 'the isolation of a transaction, and a cursor over a statement of the caller',
  'db/embedded/embedded.ts': 'roles, databases and extensions of a server without our schema',
  'db/migrate.ts': 'runs before the schema is there, and before statements are generated',
  'db/schema-engine.ts': 'the scripts of migrations',
  'db/statement.ts': 'runs the statements of `.sql` files',
  'jobs/job-database.ts': 'the statements of pg-boss',
  'statistics/days-service.ts': 'composed: tests/integration/statistics/composed-statements.test.ts',
  'statistics/series-service.ts': 'composed: tests/integration/statistics/composed-statements.test.ts',
};
const CALL = /\b(?:client|connection|db|pool|prisma|tx)\.(?:query|\$(?:query|execute)Raw(?:Unsafe)?)\b/;

it('only a short list of files passes SQL that is not checked against the schema', async () => {
  const found: string[] = [];
  for (const name of await filesIn(SERVER, /[.]ts$/)) {
    if (ELSEWHERE.includes(name.split('/')[0]!) || name.endsWith('.queries.ts')) continue;
    if (CALL.test(await readFile(path.join(SERVER, name), 'utf8'))) found.push(name);
  }
  expect(found).toEqual(Object.keys(RAW).sort());
});
