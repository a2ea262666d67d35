import path from 'node:path';
import next from 'next';
import type { Config } from '../config';
import type { Pages } from '../http/server';
import { findPackedFiles } from './packed-files';
import { ROOT } from './project';

/** Prepares Next to render the pages: from their build, or from their sources in development. */
export async function openPages(config: Config): Promise<Pages> {
  const app = next({
    dev: !config.production,
    dir: ROOT,
    hostname: config.HOST,
    port: config.PORT,
    quiet: true,
  });
  await app.prepare();
  const handle = app.getRequestHandler();
  if (config.production) {
    const answerPacked = await findPackedFiles(path.join(ROOT, '.next', 'static'), '/_next/static/');
    return {
      async handle(req, res) {
        if (!answerPacked(req, res)) await handle(req, res);
      },
    };
  }
  const upgrade = app.getUpgradeHandler();
  return { handle: (req, res) => handle(req, res), upgrade };
}
