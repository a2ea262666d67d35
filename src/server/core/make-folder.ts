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
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || folder === parent) throw error;
  }
  const firstCreatedFolder = await makeFolder(parent, mode);
  // Not only if the parent was missing a moment ago: another process may have created it since.
  try {
    await mkdir(folder, mode);
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
    return firstCreatedFolder;
  }
  return firstCreatedFolder ?? folder;
}
