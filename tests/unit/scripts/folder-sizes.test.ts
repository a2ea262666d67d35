import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** The most files that a folder may hold, so that it can be taken in at a glance. */
const MAX_FILES = 22;

/** The most lines that a file of code may have, so that it has one subject. */
const MAX_LINES = 250;

const TOP_FOLDERS = ['bench', 'deploy', 'docs', 'messages', 'prisma', 'scripts', 'src', 'tests'];

const isGenerated = ({ parentPath, name }: Dirent) =>
  parentPath.startsWith('src/generated') || name.endsWith('.queries.ts');

/** Returns the files of code in src with more than {@link MAX_LINES} lines, not counting generated ones. */
function findLongFiles(): string[] {
  return readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /[.]tsx?$/.test(entry.name) && !isGenerated(entry))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length > MAX_LINES);
}

/** Returns the folders with more than {@link MAX_FILES} files, not counting generated ones, each with its number of files. */
function findCrowdedFolders(): string[] {
  const fileCounts = new Map<string, number>();
  for (const top of TOP_FOLDERS)
    for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || isGenerated(entry)) continue;
      fileCounts.set(entry.parentPath, (fileCounts.get(entry.parentPath) ?? 0) + 1);
    }
  return [...fileCounts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${path.normalize(folder)}: ${count}`);
}

it('no folder has too many files', () => {
  expect(findCrowdedFolders()).toEqual([]);
});

it('no file of code has too many lines', () => {
  expect(findLongFiles()).toEqual([]);
});
