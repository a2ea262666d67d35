import { readdirSync } from 'node:fs';
import path from 'node:path';

const PREFIX_FOLDER = path.resolve('src', 'app', '(back-office)', '[prefix]');

/** Returns the pages of the back office: the path below the prefix, and the folder of its `page.tsx`. */
export function listBackOfficePages(): { path: string; folder: string }[] {
  return readdirSync(PREFIX_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'page.tsx')
    .map((file) => {
      const folders = path.dirname(file).split(path.sep);
      // Folders in parentheses are not part of the path.
      const names = folders.filter((name) => !/^\(.*\)$/.test(name));
      return { path: names.map((name) => `/${name}`).join(''), folder: path.join(PREFIX_FOLDER, ...folders) };
    });
}
