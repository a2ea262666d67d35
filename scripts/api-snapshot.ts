// npm run api:snapshot: writes the API documents to docs/api-snapshot and records which entry of the change log describes them.
// With `-- --amend` it replaces the newest record, whose entry must not have been released yet.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateDocuments, readSnapshot, SNAPSHOT_FOLDER, updateRecords } from './snapshot';

const documents = generateDocuments();
try {
  const records = updateRecords(await readSnapshot('.'), documents, process.argv.includes('--amend'));
  await mkdir(SNAPSHOT_FOLDER, { recursive: true });
  const files = { ...documents, 'state.json': `${JSON.stringify(records, null, 2)}\n` };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(SNAPSHOT_FOLDER, name), text);
  console.log(`${SNAPSHOT_FOLDER} now belongs to the change log's entry ${records.at(-1)!.entry}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
