import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { deleteStaleFiles } from '../../../scripts/build.mjs';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';

it('a build keeps the chunks of the build before it, which a running service may load, and deletes older ones', async () => {
  const folder = await makeTemporaryFolder('build');
  const listFile = path.join(folder, 'stamps', 'files.json');
  await mkdir(path.dirname(listFile));
  const build = async (...names: string[]) => {
    for (const name of names) await writeFile(path.join(folder, name), '');
    await deleteStaleFiles(folder, names, listFile);
    return (await readdir(folder)).sort();
  };
  await build('main.js', 'chunk-1.js', 'chunk-1.js.map');
  expect(await build('main.js', 'chunk-2.js')).toEqual([
    'chunk-1.js',
    'chunk-1.js.map',
    'chunk-2.js',
    'main.js',
    'stamps',
  ]);
  expect(await build('main.js', 'chunk-3.js')).toEqual(['chunk-2.js', 'chunk-3.js', 'main.js', 'stamps']);
  await removeTemporaryFolder(folder);
});
