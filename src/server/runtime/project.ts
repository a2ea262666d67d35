import path from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../../package.json' with { type: 'json' };

/** The project's folder: the one that contains `src` when running from source, or `dist` when running the build. */
export const ROOT = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  import.meta.url.endsWith('.ts') ? '../../..' : '..',
);

export const PRISMA_DIR = path.join(ROOT, 'prisma');
export const VERSION: string = packageJson.version;
