import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

const isFolder = (file: string): Promise<boolean> =>
  stat(file).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Creates a folder and its missing parents. Unlike Node's recursive mkdir, ends where the system refuses to create anything in an
 * existing folder, as in `/proc`: that one tries again forever, on a thread that no signal ends. Also, it reports ENOENT for a
 * read-only file system.
 *
 * @returns the outermost folder that was created; undefined if the folder already exists
 * @throws the system's error
 */
export async function makeFolder(dir: string, mode?: number): Promise<string | undefined> {
  const folder = path.resolve(dir);
  const parent = path.dirname(folder);
  try {
    await mkdir(folder, mode);
    return folder;
  } catch (error) {
    if (await isFolder(folder)) return undefined;
    const isParentMissing =
      (error as NodeJS.ErrnoException).code === 'ENOENT' && folder !== parent && !(await isFolder(parent));
    if (!isParentMissing) throw error;
  }
  const firstCreatedFolder = await makeFolder(parent, mode);
  const lastCreatedFolder = await makeFolder(folder, mode);
  return firstCreatedFolder ?? lastCreatedFolder;
}
