import { readdirSync } from 'node:fs';
import path from 'node:path';

const APP_FOLDER = path.resolve('src', 'app');
const PREFIX_FOLDER = path.join(APP_FOLDER, '(back-office)', '[prefix]');

interface PageFolder {
  path: string;
  /** The folder of the page's `page.tsx`. */
  folder: string;
}

function listPagesIn(root: string): PageFolder[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'page.tsx')
    .map((file) => {
      const folders = path.dirname(file).split(path.sep);
      // Folders in parentheses are not part of the path.
      const names = folders.filter((name) => name !== '.' && !/^\(.*\)$/.test(name));
      return { path: names.map((name) => `/${name}`).join(''), folder: path.join(root, ...folders) };
    });
}

/** Returns the pages of the back office. Their paths are those below the prefix. */
export const listBackOfficePages = (): PageFolder[] => listPagesIn(PREFIX_FOLDER);

/** Returns the paths of all pages; those of the back office begin with `/[prefix]`. */
export const listPagePaths = (): string[] => listPagesIn(APP_FOLDER).map((page) => page.path || '/');
