import path from 'node:path';
import next from 'next';
import { PHASE_PRODUCTION_SERVER } from 'next/constants.js';
import routerState from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';
import loadNextConfig from 'next/dist/server/config.js';
import type { Config } from '../config/config';
import { invalidField } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { PageRenderer } from '../http/server/dispatch';
import { createServePrecompressed } from './precompressed-files';
import { ROOT } from './project';

/**
 * Refuses a malformed Next-Router-State-Tree, the header in which Next's client describes the page that it shows. Next would
 * treat it as an internal error and respond without our envelope. Next's own parser decides what is malformed.
 *
 * @throws ServiceError `validation_failed`
 */
export function refuseMalformedRouterState(header: string | string[] | undefined): void {
  try {
    routerState.parseAndValidateFlightRouterState(header);
  } catch {
    throw invalidField('Next-Router-State-Tree', createReason('body.pageState'));
  }
}

/**
 * Makes Next read its configuration without printing anything. Next keeps what it has read. If it read it itself, it would print how
 * long that took to standard output, which is for the log.
 */
async function readNextConfig(): Promise<void> {
  const load =
    'default' in loadNextConfig ? (loadNextConfig.default as typeof loadNextConfig) : loadNextConfig;
  await load(PHASE_PRODUCTION_SERVER, ROOT);
}

/** Prepares Next to render the pages: from their build, or from source in development. */
export async function openPages(config: Config): Promise<PageRenderer> {
  const app = next({
    dev: !config.isProduction,
    dir: ROOT,
    hostname: config.HOST,
    port: config.PORT,
    // In production, logs what Next cannot load, instead of only sending the client a 500.
    quiet: !config.isProduction,
  });
  if (config.isProduction) await readNextConfig();
  await app.prepare();
  const handleRequest = app.getRequestHandler();
  if (config.isProduction) {
    const servePrecompressed = await createServePrecompressed(
      path.join(ROOT, '.next', 'static'),
      '/_next/static/',
    );
    return {
      async handle(req, res) {
        if (await servePrecompressed(req, res)) return;
        refuseMalformedRouterState(req.headers['next-router-state-tree']);
        await handleRequest(req, res);
      },
    };
  }
  const upgrade = app.getUpgradeHandler();
  return {
    async handle(req, res) {
      refuseMalformedRouterState(req.headers['next-router-state-tree']);
      await handleRequest(req, res);
    },
    upgrade,
  };
}
