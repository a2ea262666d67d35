import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GENERATED_FILE_PATTERN, generateQueries, listFilesIn } from './queries';
import { withTemporaryDatabase } from './temporary-database';

const SERVER_FOLDER = path.resolve('src/server');

/**
 * npm run sql: generates the typed statements of all `.sql` files, using a temporary database with all migrations applied.
 */
async function main(): Promise<void> {
  const generatedTexts = await withTemporaryDatabase((url) => generateQueries(url, SERVER_FOLDER));
  for (const oldFile of await listFilesIn(SERVER_FOLDER, GENERATED_FILE_PATTERN)) {
    if (!generatedTexts.has(oldFile)) await rm(path.join(SERVER_FOLDER, oldFile));
  }
  for (const [name, text] of generatedTexts) await writeFile(path.join(SERVER_FOLDER, name), text);
  console.log(`Wrote the statements of ${generatedTexts.size} files.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
