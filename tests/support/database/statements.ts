import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listFilesIn } from '../../../scripts/queries';

const SERVER_DIR = path.resolve('src/server');

/** Returns every statement of the `.sql` files: its name, prefixed with the name of its file, and its text. */
export async function readStatements(): Promise<[name: string, text: string][]> {
  const files = await listFilesIn(SERVER_DIR, /[.]sql$/);
  const statements = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(SERVER_DIR, file), 'utf8');
      return [...text.matchAll(/\/\* @name (\w+) \*\/([\s\S]*?)(?=\/\* @name|$)/g)].map(
        ([, name, statement]): [string, string] => [`${path.basename(file, '.sql')}.${name}`, statement!],
      );
    }),
  );
  return statements.flat();
}
