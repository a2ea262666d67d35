import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../support/browser/back-office';
import { makeTemporaryFolder, removeTemporaryFolder } from '../support/database/temporary-folder';

let folder: string;
let backOffice: BackOffice;

beforeAll(async () => {
  folder = await makeTemporaryFolder('backup-folder');
  const backupFolder = path.join(folder, 'backups');
  await writeFile(backupFolder, 'a file in its place');
  backOffice = await openBackOffice('settings', { BACKUP_DIR: backupFolder, BACKGROUND_JOBS: 'false' });
});
afterAll(async () => {
  await backOffice.close();
  await removeTemporaryFolder(folder);
});

it.each([
  ['en-US', 'Largest tables', /^The folder cannot be read \(ENOTDIR\), so its backups are not shown/],
  ['zh-CN', '最大的数据表', /^无法读取该文件夹（ENOTDIR），因此没有列出备份/],
])(
  'the settings in %s say why the folder of the backups cannot be read, beside everything else',
  async (locale, tableName, textPattern) => {
    await backOffice.withPage(
      '/settings',
      async (page) => {
        await page.getByRole('table', { name: tableName }).waitFor();
        expect(await page.getByRole('alert').filter({ hasText: textPattern }).count()).toBe(1);
      },
      { locale },
    );
  },
);

it('the settings break no value over two lines on a laptop', async () => {
  await backOffice.withPage('/settings', async (page) => {
    const values = page.getByRole('table', { name: 'Secrets' }).getByText('Not set', { exact: true });
    await values.first().waitFor();
    const lineCounts = await values.evaluateAll((elements) =>
      elements.map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getClientRects().length;
      }),
    );
    expect(Math.max(...lineCounts)).toBe(1);
  });
});
