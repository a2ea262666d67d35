import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';
import { type CommandResult, runCommand } from '../../support/process/run-command';

let database: TestDatabase;
let folder: string;

const run = (...args: string[]): Promise<CommandResult> =>
  runCommand(['prompt', ...args], { DATABASE_URL: database.url, NEXTAUTH_SECRET: 'x'.repeat(48) });

beforeAll(async () => {
  folder = await makeTemporaryFolder('prompts');
  database = await createTestDatabase();
});

afterAll(async () => {
  await database?.drop();
  if (folder) await removeTemporaryFolder(folder);
});

it('the prompt commands publish, draft and list prompts, and their changes are in the audit log', async () => {
  expect((await run('list')).stdout).toMatch(/^There are no prompts yet/);
  const publishResult = await run('set', '--shop', ' My shop ', '--text', 'Be kind.');
  expect([publishResult.code, publishResult.stdout]).toEqual([
    0,
    'Version 1 of the prompt of "My shop" is published; replies are written with it from now on.\n' +
      'No shop has this name yet. Check the name, or add the shop under it.\n',
  ]);

  const file = path.join(folder, 'prompt.txt');
  await writeFile(file, '\ufeffBe kind.\r\nBe brief.\r\n');
  const draftResult = await run('set', '--shop', 'My shop', '--file', file, '--draft', '--json');
  expect(draftResult.json).toEqual({ shop_name: 'My shop', version: 2, state: 'draft' });

  const { json } = await run('list', '--json');
  expect(json).toEqual([
    {
      shop_name: 'My shop',
      versions: 2,
      published: {
        version: 1,
        text: 'Be kind.',
        created_at: expect.any(String),
        published_at: expect.any(String),
      },
      draft: {
        version: 2,
        text: 'Be kind.\r\nBe brief.',
        created_at: expect.any(String),
        published_at: null,
      },
    },
  ]);
  expect((await run('list')).stdout).toMatch(/^SHOP +PUBLISHED +SINCE +DRAFT\nMy shop +1 +\d{4}-.*Z +2\n$/);

  const auditEntries = await database.query(
    `SELECT actor, action FROM audit_log WHERE record_type = 'prompt' ORDER BY id`,
  );
  const actor = `command: ${userInfo().username}`;
  expect(auditEntries).toEqual([
    { actor, action: 'prompt.publish' },
    { actor, action: 'prompt.draft' },
  ]);
});

it('prompt set says what is wrong with a text, and stores nothing', async () => {
  const latin1File = path.join(folder, 'latin.txt');
  await writeFile(latin1File, Buffer.from([0x62, 0xe9]));
  const longFile = path.join(folder, 'long.txt');
  await writeFile(longFile, 'x'.repeat(50_001));
  for (const [args, message] of [
    [[], 'with either --text or --file'],
    [['--text', 'a', '--file', latin1File], 'with either --text or --file'],
    [['--text', ' '], 'must not be blank'],
    [['--file', path.join(folder, 'none.txt')], 'there is no such file'],
    [['--file', latin1File], 'not UTF-8'],
    [['--file', longFile], 'at most 50000 characters'],
  ] as const) {
    const { code, stderr } = await run('set', '--shop', 'Refused', ...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  }
  expect(await database.query(`SELECT 1 FROM prompts WHERE shop_name = 'Refused'`)).toEqual([]);
});
