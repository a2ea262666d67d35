import path from 'node:path';
import { EmbeddedDatabaseError, resolveDataDir } from '../../src/server/db/embedded/place';
import { openPages } from '../../src/server/runtime/pages';
import { ROOT, VERSION } from '../../src/server/runtime/project';
import { run, type Started } from '../../src/server/runtime/run';
import { keptAccess } from './access';
import { seedDemo } from './seed';
import { startStandIns } from './stand-ins';
import { demoText } from './text';

const log = (text: string) => process.stdout.write(`${text}\n`);

/** `.demo` here; as root, if PostgreSQL's user cannot reach it, a folder beside the one that the service would use. */
function demoDir(): string {
  const wanted = path.join(ROOT, '.demo');
  try {
    return resolveDataDir({ dataDir: wanted, cwd: ROOT }).dir;
  } catch (error) {
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    return resolveDataDir({ dataDir: undefined, cwd: wanted }).dir;
  }
}

/**
 * The variables that the demo takes from the environment: where to listen and what to log. Never someone else's data or keys.
 */
const TAKEN = ['NODE_ENV', 'PORT', 'HOST', 'APP_URL', 'ADMIN_PREFIX', 'LOG_LEVEL', 'CORS_ORIGINS'];

const dataDir = demoDir();
const standIns = await startStandIns();
const taken = Object.fromEntries(TAKEN.map((name) => [name, process.env[name]]));

async function ready({ app, owner, appUrl, adminPrefix, where }: Started): Promise<void> {
  const { db } = app.services;
  const access = await keptAccess(db, owner, dataDir);
  const { id } = await db.prisma.apiKey.findFirstOrThrow({ select: { id: true }, orderBy: { id: 'asc' } });
  const demo = await seedDemo(app.services, id, log);
  standIns.know(demo);
  log(demoText(demo, access, { version: VERSION, appUrl, adminPrefix, where, dataDir }));
}

await run(openPages, {
  env: { ...taken, LOG_LEVEL: taken.LOG_LEVEL || 'warn', DATA_DIR: dataDir, ...standIns.env },
  ready,
});
