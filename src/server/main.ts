import next from 'next';
import { PRISMA_DIR, ROOT, type RunningApp, startApp, VERSION } from './app';
import { type Config, ConfigError, loadConfig } from './config';
import { createLog, type Log } from './core/log';
import { type EmbeddedDatabase, startEmbedded } from './db/embedded';
import { EmbeddedDatabaseError, resolveDataDir } from './db/embedded-place';
import { migrate } from './db/migrate';
import { seedReferenceData } from './db/reference-data';
import type { Pages } from './http/server';
import { ensureFirstOwner } from './identity/user-service';
import { keptSecret } from './secret';
import { firstStartText, startedText } from './start-text';

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function openPages(config: Config): Promise<Pages> {
  const app = next({
    dev: !config.production,
    dir: ROOT,
    hostname: config.HOST,
    port: config.PORT,
    quiet: true,
  });
  await app.prepare();
  const handle = app.getRequestHandler();
  if (config.production) return { handle: (req, res) => handle(req, res) };
  const upgrade = app.getUpgradeHandler();
  return { handle: (req, res) => handle(req, res), upgrade };
}

interface OpenedDatabase {
  url: string;
  where: string;
  /** Null where the database is somebody else's. */
  embedded: EmbeddedDatabase | null;
}

async function openDatabaseFor(config: Config, log: Log): Promise<OpenedDatabase> {
  if (config.DATABASE_URL) {
    const { hostname, pathname } = new URL(config.DATABASE_URL);
    return { url: config.DATABASE_URL, where: `PostgreSQL at ${hostname}${pathname}`, embedded: null };
  }
  const { dir, moved } = resolveDataDir({ dataDir: config.DATA_DIR, cwd: process.cwd() });
  if (moved)
    say(
      `PostgreSQL cannot run as root and its user cannot reach this folder, so the data is kept in ${dir}.`,
    );
  const embedded = await startEmbedded({
    dataDir: dir,
    log: (line) => log.debug({ line }, 'embedded database'),
  });
  await keptSecret(dir);
  return { url: embedded.url, where: `embedded PostgreSQL, data in ${dir}`, embedded };
}

async function start(config: Config, log: Log): Promise<void> {
  const [database, pages] = await Promise.all([openDatabaseFor(config, log), openPages(config)]);
  let app: RunningApp | undefined;
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      say('Stopping: running requests finish first.');
      await app?.stop();
      await database.embedded?.stop();
      say('Stopped.');
      process.exit(0);
    })();
    return stopping;
  };
  // Ctrl-C reaches us twice, from the terminal and from npm; the second must not cut the first short.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  try {
    const applied = await migrate(database.url, PRISMA_DIR, (client) =>
      seedReferenceData(client, PRISMA_DIR),
    );
    if (applied.length > 0) log.info({ applied }, 'migrations applied');
    app = await startApp({ config, databaseUrl: database.url, log, pages });
    const owner = await ensureFirstOwner(app.services.db, {
      email: config.ADMIN_EMAIL,
      password: config.ADMIN_PASSWORD,
    });
    if (owner) say(firstStartText(owner, config));
    say(startedText({ version: VERSION, appUrl: shownUrl(config, app.port), where: database.where }));
  } catch (error) {
    await app?.stop();
    await database.embedded?.stop();
    throw error;
  }
}

/** PORT=0 takes a free port, which the default URL cannot know. */
function shownUrl(config: Config, port: number): string {
  return config.PORT === 0 && config.APP_URL === 'http://localhost:0'
    ? `http://localhost:${port}`
    : config.APP_URL;
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is not valid.\n${error.message}`;
  if (error instanceof EmbeddedDatabaseError)
    return error.detail ? `${error.message}\n${error.detail}` : error.message;
  return error instanceof Error ? error.message || String(error) : String(error);
}

try {
  const config = loadConfig();
  await start(config, createLog(config.LOG_LEVEL));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
