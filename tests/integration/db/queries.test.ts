import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GENERATED_FILE_PATTERN, generateQueries, listFilesIn } from '../../../scripts/queries';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

const SERVER_FOLDER = path.resolve('src/server');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('every statement fits the migrated schema, and its types are those of the database', async () => {
  const generatedFiles = await generateQueries(database.url, SERVER_FOLDER);
  expect(generatedFiles.size).toBeGreaterThan(0);
  expect([...generatedFiles.keys()]).toEqual(await listFilesIn(SERVER_FOLDER, GENERATED_FILE_PATTERN));
  for (const [name, text] of generatedFiles) {
    expect(await readFile(path.join(SERVER_FOLDER, name), 'utf8'), `${name}: run npm run sql`).toBe(text);
  }
}, 120_000);

it.each([
  [
    'a statement that the database refuses',
    '/* @name listNames */\nSELECT id, nam FROM shops;\n',
    'column "nam" does not exist',
  ],
  ['a statement without a name', 'SELECT 1 AS one;\n', '/* @name listShops */'],
])('%s is refused, and the error says why', async (_, statement, reason) => {
  const folder = await makeTemporaryFolder('queries');
  await writeFile(path.join(folder, 'shops.sql'), statement);

  await expect(generateQueries(database.url, folder)).rejects.toThrow(reason);
  await removeTemporaryFolder(folder);
});

it('statements have unique names, short enough for PostgreSQL', async () => {
  const names = await Promise.all(
    (await listFilesIn(SERVER_FOLDER, GENERATED_FILE_PATTERN)).map(async (name) => {
      const text = await readFile(path.join(SERVER_FOLDER, name), 'utf8');
      return [...text.matchAll(/new Statement<[^>]*>\('([^']+)'/g)].map(
        ([, statementName]) => statementName!,
      );
    }),
  ).then((lists) => lists.flat());
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([]);
});
