import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client';
import type { Log } from '../core/log';

/**
 * The database as services are given it. Prisma for ordinary work; `pool` (the same connections) for prepared statements
 * on hot paths; `bulkPool` for imports and exports, so that long work never takes the last connection from short work.
 */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  bulkPool: pg.Pool;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  poolSize: number;
  bulkPoolSize: number;
  log: Log;
}

/** How long a request waits for a connection before it is told that the database is away. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Imports wait for each other; longer than this means that something is stuck. */
const BULK_WAIT_MS = 120_000;

/** Opens the pools; nothing connects before it is used, and a lost connection is replaced at the next use. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = (name: string, max: number, connectionTimeoutMillis: number): pg.Pool => {
    const made = new pg.Pool({
      connectionString: options.url,
      application_name: `brickdesk-${name}`,
      max,
      connectionTimeoutMillis,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
    });
    // Without a listener an idle connection that the server closes would end the process.
    made.on('error', (error) =>
      options.log.warn({ err: error, pool: name }, 'idle database connection lost'),
    );
    return made;
  };
  const short = pool('work', options.poolSize, CONNECT_TIMEOUT_MS);
  const bulk = pool('bulk', options.bulkPoolSize, BULK_WAIT_MS);
  const prisma = new PrismaClient({ adapter: new PrismaPg(short) });
  return {
    prisma,
    pool: short,
    bulkPool: bulk,
    async close() {
      await prisma.$disconnect();
      await Promise.all([short.end(), bulk.end()]);
    },
  };
}
