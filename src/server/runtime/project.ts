import path from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../../package.json' with { type: 'json' };

/** The project's folder: the parent of `src/server` when the sources run, of `dist` when the build does. */
export const ROOT = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  import.meta.url.endsWith('.ts') ? '../../..' : '..',
);

export const PRISMA_DIR = path.join(ROOT, 'prisma');
export const VERSION: string = packageJson.version;
