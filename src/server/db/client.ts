import { AsyncResource } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client';
import type { Log } from '../core/log';
import { isTracing } from '../core/tracing';
import { DETECTS_CLOSED_CONNECTIONS_SQL } from './closed-connections';
import { limitLockWaits, TRANSACTION_TIMEOUT_MS } from './interactive-transactions';
import { Lookups } from './lookups';
import { beginStatementSpan } from './statement-span';
import { READ_ONLY_CODE } from './unavailable';

/**
 * The database as passed to services. Prisma is for ordinary work, `pool` (the same connections) for statements of our own,
 * `lookups` for rows that requests look up by key, and `bulkPool` for imports and exports, so that long work never takes the last
 * connection from short work.
 */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  lookups: Lookups;
  bulkPool: pg.Pool;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  poolSize: number;
  bulkPoolSize: number;
  log: Log;
  /** Connects to a replica (replica.ts) instead of the primary. */
  isReplica?: boolean;
  /** Overrides the default timeouts. */
  queryTimeoutsMs?: QueryTimeouts;
}

/** How many connections lookups share. With two, a slow lookup does not hold up all the others. */
const MAX_LOOKUP_CONNECTIONS = 2;

/** How long each pool waits for the result of one statement, in milliseconds. */
export type QueryTimeouts = Record<'work' | 'bulk', number>;

/** How long a request waits for a connection before the database counts as unreachable. */
const CONNECT_TIMEOUT_MS = 5_000;
/** How long bulk work, such as imports and exports, waits for a connection; a longer wait means that something is stuck. */
const BULK_CONNECT_TIMEOUT_MS = 120_000;
/**
 * Only these timeouts quickly detect a database that vanished silently, such as one behind a firewall that drops packets: TCP
 * retransmits for a quarter of an hour. A statement of short work takes milliseconds; an import's first statement may wait two
 * minutes for another import of the same shop.
 */
const QUERY_TIMEOUTS_MS: QueryTimeouts = { work: 10_000, bulk: 180_000 };
/** How long a server goes on waiting for a lock after we have given up, if it does not notice closed connections. */
const LOCK_MARGIN_MS = 1_000;
/** When TCP keep-alive starts probing; the system's default is two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;
const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * A connection that closes itself when a response is overdue; the server then ends the statement (closed-connections.ts). By
 * default, `pg` fails the query but keeps the connection, and the pool would hand it out again with its query still running or its
 * transaction not rolled back.
 */
class Client extends pg.Client {
  /** Called when a write was refused because the database is read-only. */
  onRefusedWrite: () => void = () => undefined;

  // biome-ignore lint/suspicious/noExplicitAny: one body for all nine of pg's signatures
  override query(...args: any[]): any {
    const endSpan = isTracing() ? beginStatementSpan(args[0]) : null;
    const callback: unknown = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, result: unknown) => {
        this.#checkError(error);
        endSpan?.(error, result);
        callback(error, result);
      };
    }
    const execution: unknown = super.query(...(args as [string]));
    if (!(execution instanceof Promise)) return execution;
    if (endSpan) execution.then((result) => endSpan(null, result), endSpan);
    return execution.catch((error: unknown) => {
      this.#checkError(error);
      throw error;
    });
  }

  #checkError(error: unknown): void {
    if (!(error instanceof Error)) return;
    // Not awaited: with a query still running, `end` closes the socket immediately.
    if (error.message === QUERY_TIMEOUT_MESSAGE) void this.end();
    else if ('code' in error && error.code === READ_ONLY_CODE) this.onRefusedWrite();
  }
}

const PREPARE_CONNECTION_SQL = `
  SELECT pg_is_in_recovery() AS "isStandby",
         CASE WHEN NOT (${DETECTS_CLOSED_CONNECTIONS_SQL}) THEN set_config('lock_timeout', $1, false) END AS lock_timeout`;

/**
 * Prepares a new connection. Unless it is meant for the replica, refuses a connection to a standby: its data may be old, so a key
 * that has been revoked might still be accepted. If the server does not notice closed connections, limits how long it waits for a
 * lock. Runs a query because a pooler does not pass on the parameters that PostgreSQL reports.
 */
async function prepareConnection(
  client: pg.ClientBase,
  { queryTimeoutMs, isReplica }: Pick<PoolOptions, 'queryTimeoutMs' | 'isReplica'>,
): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>(PREPARE_CONNECTION_SQL, [
    String(queryTimeoutMs + LOCK_MARGIN_MS),
  ]);
  if (rows[0]?.isStandby && !isReplica)
    throw Object.assign(new Error('the database is a standby'), { code: READ_ONLY_CODE });
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/**
 * A pool that can stop lending its open connections. While traces are exported, its callbacks run in the async context of the
 * work that requested a connection, not of the work that released it.
 */
class Pool extends pg.Pool {
  readonly #clients = new Set<pg.ClientBase>();
  #suspects = new WeakSet<pg.ClientBase>();

  constructor(config: pg.PoolConfig, options: PoolOptions) {
    super({ ...config, Client, onConnect: (client) => prepareConnection(client, options) });
    this.on('connect', (client) => {
      this.#clients.add(client);
      if (client instanceof Client)
        client.onRefusedWrite = options.onRefusedWrite ?? (() => this.suspectAll());
    });
    this.on('remove', (client) => this.#clients.delete(client as unknown as Client));
  }

  /**
   * Stops lending the connections that are open now. Called after a write was refused as read-only: after a failover, open
   * connections lead to the old primary and new ones to the new primary.
   */
  suspectAll(): void {
    this.#suspects = new WeakSet(this.#clients);
  }

  trusts(client: pg.ClientBase): boolean {
    return !this.#suspects.has(client);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    const onConnected = isTracing() ? AsyncResource.bind(callback) : callback;
    super.connect((error, client, release) => {
      if (!client || this.trusts(client)) return onConnected(error, client, release);
      release(true);
      this.connect(onConnected);
    });
    return undefined;
  }
}

interface PoolOptions {
  /** The name of the connections in pg_stat_activity and in the log. */
  name: string;
  max: number;
  connectTimeoutMs: number;
  queryTimeoutMs: number;
  log: Log;
  /** Accepts a replica, whose state may be old. */
  isReplica?: boolean | undefined;
  /** Sends statements without waiting for the results of those before them (lookups.ts). */
  pipeline?: boolean;
  /** Called when a write was refused because the database is read-only. By default, calls {@link Pool.suspectAll}. */
  onRefusedWrite?: () => void;
}

/** Opens a pool. It connects on first use; a lost connection is replaced on the next use. */
export function openPool(url: string, options: PoolOptions): Pool {
  const settings: pg.PoolConfig = {
    connectionString: url,
    application_name: `brickdesk-${options.name}`,
    max: options.max,
    connectionTimeoutMillis: options.connectTimeoutMs,
    query_timeout: options.queryTimeoutMs,
    idleTimeoutMillis: 30_000,
    pipeline: options.pipeline ?? false,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
  const pool = new Pool(settings, options);
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on('error', (error) =>
    options.log.warn({ err: error, pool: options.name }, 'idle database connection lost'),
  );
  return pool;
}

/** Opens the connection pools that the services share. */
export function openDatabase(options: DatabaseOptions): Database {
  const timeoutsMs = options.queryTimeoutsMs ?? QUERY_TIMEOUTS_MS;
  const { url, log, isReplica } = options;
  const onRefusedWrite = () => {
    for (const pool of [workPool, lookupPool, bulkPool]) pool.suspectAll();
  };
  const openNamedPool = (
    name: string,
    limits: Pick<PoolOptions, 'max' | 'connectTimeoutMs' | 'queryTimeoutMs' | 'pipeline'>,
  ) =>
    openPool(url, { name: isReplica ? `replica-${name}` : name, log, isReplica, onRefusedWrite, ...limits });
  const shortTimeouts = { connectTimeoutMs: CONNECT_TIMEOUT_MS, queryTimeoutMs: timeoutsMs.work };
  const workPool = openNamedPool('work', { max: options.poolSize, ...shortTimeouts });
  const lookupPool = openNamedPool('lookups', {
    max: MAX_LOOKUP_CONNECTIONS,
    pipeline: true,
    ...shortTimeouts,
  });
  const bulkPool = openNamedPool('bulk', {
    max: options.bulkPoolSize,
    connectTimeoutMs: BULK_CONNECT_TIMEOUT_MS,
    queryTimeoutMs: timeoutsMs.bulk,
  });
  const prisma = new PrismaClient({
    adapter: new PrismaPg(workPool),
    errorFormat: 'minimal',
    transactionOptions: { timeout: TRANSACTION_TIMEOUT_MS },
  });
  limitLockWaits(prisma);
  return {
    prisma,
    pool: workPool,
    lookups: new Lookups(lookupPool, workPool),
    bulkPool,
    async close() {
      await prisma.$disconnect();
      await Promise.all([workPool.end(), lookupPool.end(), bulkPool.end()]);
    },
  };
}
