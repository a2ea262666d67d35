import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** The most files that a folder may hold, so that it can be taken in at a glance. */
const MAX_FILES = 22;

const TOP_FOLDERS = ['bench', 'deploy', 'docs', 'messages', 'prisma', 'scripts', 'src', 'tests'];

/** Returns the folders with more than {@link MAX_FILES} files, not counting generated ones, each with its number of files. */
function findCrowdedFolders(): string[] {
  const fileCounts = new Map<string, number>();
  for (const top of TOP_FOLDERS)
    for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
      const isGenerated = entry.parentPath.startsWith('src/generated') || entry.name.endsWith('.queries.ts');
      if (!entry.isFile() || isGenerated) continue;
      fileCounts.set(entry.parentPath, (fileCounts.get(entry.parentPath) ?? 0) + 1);
    }
  return [...fileCounts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${path.normalize(folder)}: ${count}`);
}

it('no folder has too many files', () => {
  expect(findCrowdedFolders()).toEqual([]);
});
