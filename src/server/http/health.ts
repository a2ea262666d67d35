import type { Exchange } from './exchange';
import { sendResponse } from './response';

/** Checks whether the database is reachable, can be written and is migrated. */
export type ReadyCheck = () => Promise<{
  ready: boolean;
  database: 'reachable' | 'read-only' | 'unreachable';
  migrations: 'applied' | 'pending' | 'unknown';
}>;

/** GET /healthz: the process is alive. Checks nothing else, so that a database outage does not get the process restarted. */
export function sendHealth(exchange: Exchange): void {
  exchange.route = '/healthz';
  sendResponse(exchange, 200, '{"status":"ok"}');
}

/** GET /readyz: the database is reachable, can be written and is migrated, and the service is not stopping. */
export async function sendReady(exchange: Exchange, check: ReadyCheck, stopping: boolean): Promise<void> {
  exchange.route = '/readyz';
  const { ready, database, migrations } = await check();
  const good = ready && !stopping;
  const status = stopping ? 'stopping' : good ? 'ready' : 'not ready';
  sendResponse(exchange, good ? 200 : 503, JSON.stringify({ status, database, migrations }));
}
