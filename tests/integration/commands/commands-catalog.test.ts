import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';
import { runCommand } from '../../support/process/run-command';

let database: TestDatabase;
let env: Record<string, string>;
let folder: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder('catalog');
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, NEXTAUTH_SECRET: 'x'.repeat(48) };
});
afterAll(async () => {
  await database?.drop();
  if (folder) await removeTemporaryFolder(folder);
});

async function importText(text: string) {
  const file = path.join(folder, 'products.csv');
  await writeFile(file, text);
  return runCommand(['catalog', 'import', file, '--json'], env);
}

it('catalog import stores products, and changes nothing when they are imported again', async () => {
  const encoding = 'utf-8';
  const text = 'category,code,name\nhead,HD-1,Plain head\nleg,LG-1,\nbrick,BR-1,"Brick, 2x4"\n';
  expect((await importText(text)).json).toEqual({ inserted: 3, updated: 0, unchanged: 0, encoding });
  expect((await importText(text)).json).toEqual({ inserted: 0, updated: 0, unchanged: 3, encoding });
  const { json } = await runCommand(['catalog', 'list', '--json'], env);
  expect(json).toEqual([
    { category: 'head', code: 'HD-1', name: 'Plain head', archived: false },
    { category: 'leg', code: 'LG-1', name: null, archived: false },
    { category: 'brick', code: 'BR-1', name: 'Brick, 2x4', archived: false },
  ]);
});

it('catalog import moves and renames a known product, keeps the name if the row has none, and restores an archived product', async () => {
  await database.query(`UPDATE products SET archived_at = now() WHERE code = 'LG-1'`);
  const { json } = await importText('name,Code,CATEGORY\n,HD-1,hair\nLong leg,LG-1,leg\n');
  expect(json).toMatchObject({ inserted: 0, updated: 2, unchanged: 0 });
  const { stdout } = await runCommand(['catalog', 'list'], env);
  expect(stdout).toMatch(/hair +HD-1 +Plain head/);
  expect(stdout).toMatch(/leg +LG-1 +Long leg *\n/);
});

it('catalog import lists every bad row by its line, and stores nothing', async () => {
  const productsBefore = await database.query('SELECT code FROM products');
  const { code, json } = await importText(
    'category,code,name\nhead,NEW-1,\n\nnose,N-1,\nhead,,x\nhead,NEW-1,\n',
  );
  expect(code).toBe(1);
  expect(
    json.error.errors.map(({ line, path: problemPath }: { line: number; path: string }) => [
      line,
      problemPath.split('.').at(-1),
    ]),
  ).toEqual([
    [4, 'category'],
    [5, 'code'],
    [6, 'code'],
  ]);
  expect(await database.query('SELECT code FROM products')).toEqual(productsBefore);
});

it.each([
  ['unknown columns', 'foo,bar\n1,2\n', /the columns are category, code, name/],
  ['no content', '', /is empty\. Choose a file with the columns category, code and name/],
  ['nothing but a header', 'category,code\n', /has no rows below its header/],
])('catalog import refuses a file with %s', async (_, text, messagePattern) => {
  const { code, json } = await importText(text);
  expect(code).toBe(1);
  expect(JSON.stringify(json)).toMatch(messagePattern);
});
