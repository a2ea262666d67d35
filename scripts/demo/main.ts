import path from 'node:path';
import { EmbeddedDatabaseError, resolveDataDir } from '../../src/server/db/embedded';
import { openPages } from '../../src/server/runtime/pages';
import { ROOT, VERSION } from '../../src/server/runtime/project';
import { run, type StartedService } from '../../src/server/runtime/run';
import { loadOrCreateCredentials } from './credentials';
import { seedDemo } from './seed';
import { startStandIns } from './stand-ins';
import { createDemoText } from './text';

const log = (text: string) => process.stdout.write(`${text}\n`);

/** Returns the project's `.demo` or, if PostgreSQL's user cannot reach it, a folder under /var/lib/brickdesk. */
function resolveDemoDir(): string {
  const preferredDir = path.join(ROOT, '.demo');
  try {
    return resolveDataDir({ dataDir: preferredDir, cwd: ROOT }).dir;
  } catch (error) {
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    return resolveDataDir({ dataDir: undefined, cwd: preferredDir }).dir;
  }
}

/** The only variables that the demo takes from the environment. None of them can give it real data or keys. */
const PASSED_VARIABLES = ['NODE_ENV', 'PORT', 'HOST', 'APP_URL', 'ADMIN_PREFIX', 'LOG_LEVEL', 'CORS_ORIGINS'];

const dataDir = resolveDemoDir();
const standIns = await startStandIns();
const environment = Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]]));

async function prepareDemo(startedService: StartedService): Promise<void> {
  const { app, owner } = startedService;
  const { db } = app.services;
  const credentials = await loadOrCreateCredentials(db, owner, dataDir);
  const { id: apiKeyId } = await db.prisma.apiKey.findFirstOrThrow({
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  const demo = await seedDemo(app.services, apiKeyId, log);
  standIns.loadShipments(demo);
  log(createDemoText(demo, credentials, { ...startedService, version: VERSION, dataDir }));
}

await run(openPages, {
  env: { ...environment, LOG_LEVEL: environment.LOG_LEVEL || 'warn', DATA_DIR: dataDir, ...standIns.env },
  onReady: prepareDemo,
});
