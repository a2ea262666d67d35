import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { GENERATED_FILE_PATTERN, listFilesIn } from '../../../scripts/queries';

const SERVER_FOLDER = path.resolve('src/server');

/** Matches the start of a string that reads like a statement, and the names of Prisma's raw SQL functions. */
const RAW_SQL_PATTERN =
  /[`'"]\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH (?:RECURSIVE )?\w+ AS|LOCK TABLE|TRUNCATE|ANALYZE|COPY|(?:CREATE|ALTER|DROP) [A-Z]+|DECLARE|FETCH|BEGIN|COMMIT|ROLLBACK|SET TRANSACTION|LISTEN|NOTIFY)\b|\$(?:query|execute)Raw(?:Unsafe)?\b/g;

const COMPOSED_FROM_FILTER =
  'composed from a filter; checked by tests/integration/db/composed-statements.test.ts';

/**
 * Where SQL may be written in TypeScript: files, and folders with a trailing slash, each with the reason. All other statements
 * are written in `.sql` files, for which `npm run sql` generates types from the database (docs/recipes.md).
 */
const ALLOWED_PATHS: Readonly<Record<string, string>> = {
  'db/':
    'transactions, cursors, migrations and the embedded server, which do not use tables of the service; running the typed statements',
  'backup/': 'copies all tables that exist',
  'orders/export/export-sql.ts': COMPOSED_FROM_FILTER,
  'orders/export/sheet-sql.ts': COMPOSED_FROM_FILTER,
  'orders/filter/conditions-service.ts': COMPOSED_FROM_FILTER,
  'orders/list/count-service.ts': COMPOSED_FROM_FILTER,
  'orders/filter/filter-sql.ts': COMPOSED_FROM_FILTER,
  'orders/list/service.ts': COMPOSED_FROM_FILTER,
  'statistics/comparison-service.ts': COMPOSED_FROM_FILTER,
  'statistics/days-service.ts': COMPOSED_FROM_FILTER,
  'statistics/export/day-export-service.ts': 'writes whatever columns the table of a kind has',
  'statistics/series-service.ts': COMPOSED_FROM_FILTER,
  'statistics/export/table-export-service.ts': COMPOSED_FROM_FILTER,
  'tracking/shipments/list-sql.ts': COMPOSED_FROM_FILTER,
};

const filesWithSql = (await listFilesIn(SERVER_FOLDER, /[.]ts$/)).flatMap((file) => {
  if (GENERATED_FILE_PATTERN.test(file)) return [];
  const matches = readFileSync(path.join(SERVER_FOLDER, file), 'utf8').match(RAW_SQL_PATTERN);
  return matches ? [{ file, sql: matches[0].trim() }] : [];
});
const covers = (allowedPath: string, file: string) =>
  allowedPath.endsWith('/') ? file.startsWith(allowedPath) : file === allowedPath;

it('SQL is written in .sql files, except in the listed files and folders', () => {
  const unlistedFiles = filesWithSql.filter(
    ({ file }) => !Object.keys(ALLOWED_PATHS).some((allowedPath) => covers(allowedPath, file)),
  );
  expect(unlistedFiles).toEqual([]);
});

it('every listed file or folder contains SQL', () => {
  const unusedPaths = Object.keys(ALLOWED_PATHS).filter(
    (allowedPath) => !filesWithSql.some(({ file }) => covers(allowedPath, file)),
  );
  expect(unusedPaths).toEqual([]);
});

it('the format of instants as text is written in one place; .sql files call it iso_instant', async () => {
  const handwrittenFiles = (await listFilesIn(SERVER_FOLDER, /[.](?:sql|ts)$/)).filter(
    (file) => !GENERATED_FILE_PATTERN.test(file),
  );
  const filesWithFormat = handwrittenFiles.filter((file) =>
    readFileSync(path.join(SERVER_FOLDER, file), 'utf8').includes('HH24:MI:SS'),
  );
  expect(filesWithFormat).toEqual(['core/lists/cursor.ts']);
});
