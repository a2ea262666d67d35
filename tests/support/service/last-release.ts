import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { SavedRelease } from '../../../scripts/keep-release';

const root = path.resolve(import.meta.dirname, '..', '..', '..');

/** Reads the release that `npm run release:keep` has saved. */
export async function readLastRelease(): Promise<SavedRelease> {
  const compressedRelease = await readFile(path.join(root, 'tests/fixtures/last-release.br'));
  return JSON.parse((await promisify(brotliDecompress)(compressedRelease)).toString());
}

/** Writes the files of a release into an empty folder and links our packages. Returns Node's arguments to start its server. */
export async function unpackRelease({ files }: SavedRelease, folder: string): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) {
    const filePath = path.join(folder, name);
    await mkdir(path.dirname(filePath), { recursive: true });
    await writeFile(filePath, text);
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return [path.join(folder, 'dist', 'main.js')];
}
