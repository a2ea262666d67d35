import { AsyncResource } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client';
import type { Log } from '../core/log';
import { isTracing } from '../core/tracing';
import { beginStatement } from './statement-span';

/**
 * The database as services get it. Prisma for ordinary work; `pool` (the same connections) for prepared statements on hot
 * paths; `bulkPool` for imports and exports, so that long work never takes the last connection from short work.
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
  /** Overrides the default timeouts. */
  answerTimeoutMs?: AnswerTimeouts;
}

/** How long each pool waits for the result of one statement, in milliseconds. */
export type AnswerTimeouts = Record<'work' | 'bulk', number>;

/** How long a request waits for a connection before the database counts as unreachable. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Imports wait for each other; a longer wait means that something is stuck. */
const BULK_WAIT_MS = 120_000;
/**
 * Only these timeouts notice a database that vanished silently, as behind a firewall that drops packets: TCP retransmits for a
 * quarter of an hour. A statement of short work takes milliseconds; an import's first one may wait two minutes for another
 * import of its shop.
 */
const ANSWER_TIMEOUTS: AnswerTimeouts = { work: 10_000, bulk: 180_000 };
/** When TCP keep-alive starts probing; the system's default is two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;
const ANSWER_OVERDUE = 'Query read timeout';

/**
 * A connection that ends itself when a response is overdue. On its own, `pg` fails the query and keeps the connection, which a
 * pool would lend again: behind a query that never ends, or inside a transaction that could not be rolled back.
 */
class Client extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: one body for each of pg's nine signatures
  override query(...args: any[]): any {
    const ended = isTracing() ? beginStatement(args[0]) : null;
    const callback: unknown = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, result: unknown) => {
        this.#endIfOverdue(error);
        ended?.(error, result);
        callback(error, result);
      };
    }
    const answer: unknown = super.query(...(args as [string]));
    if (!(answer instanceof Promise)) return answer;
    if (ended) answer.then((result) => ended(null, result), ended);
    return answer.catch((error: unknown) => {
      this.#endIfOverdue(error);
      throw error;
    });
  }

  #endIfOverdue(error: unknown): void {
    // Not awaited: with a query still running, it closes the socket at once.
    if (error instanceof Error && error.message === ANSWER_OVERDUE) void this.end();
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool that calls back as part of the work that asked for a connection, not of the work that gave one back. */
class Pool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect();
    super.connect(isTracing() ? AsyncResource.bind(callback) : callback);
    return undefined;
  }
}

interface PoolOptions {
  /** The name of the connections in the database's own lists and in the log. */
  name: string;
  max: number;
  connectTimeoutMs: number;
  answerTimeoutMs: number;
  log: Log;
}

/** Opens a pool. Nothing connects before its first use, and a lost connection is replaced at the next use. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const made = new Pool({
    Client,
    connectionString: url,
    application_name: `brickdesk-${options.name}`,
    max: options.max,
    connectionTimeoutMillis: options.connectTimeoutMs,
    query_timeout: options.answerTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  // Without a listener, an idle connection that the server closes would end the process.
  made.on('error', (error) =>
    options.log.warn({ err: error, pool: options.name }, 'idle database connection lost'),
  );
  return made;
}

/** Opens the pools of the services. */
export function openDatabase(options: DatabaseOptions): Database {
  const timeouts = options.answerTimeoutMs ?? ANSWER_TIMEOUTS;
  const pool = (name: keyof AnswerTimeouts, max: number, connectTimeoutMs: number): pg.Pool =>
    openPool(options.url, { name, max, connectTimeoutMs, answerTimeoutMs: timeouts[name], log: options.log });
  const short = pool('work', options.poolSize, CONNECT_TIMEOUT_MS);
  const bulk = pool('bulk', options.bulkPoolSize, BULK_WAIT_MS);
  const prisma = new PrismaClient({ adapter: new PrismaPg(short), errorFormat: 'minimal' });
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
