import { FIXED_PATHS } from '../core/http/fixed-paths';
import type { Exchange } from './exchange';
import { sendResponse } from './response';

/** Checks whether the database is reachable, writable and migrated. */
export type ReadinessCheck = () => Promise<{
  ready: boolean;
  database: 'reachable' | 'read-only' | 'unreachable';
  migrations: 'applied' | 'pending' | 'unknown';
}>;

/** Responds to /healthz with 200: the process is alive. Checks nothing else, so that a database outage causes no restart. */
export function sendHealth(exchange: Exchange): void {
  exchange.route = FIXED_PATHS.health;
  sendResponse(exchange, 200, '{"status":"ok"}');
}

/** Responds to /readyz: 200 if the check succeeds and the service is not stopping, otherwise 503. */
export async function sendReadiness(
  exchange: Exchange,
  checkReadiness: ReadinessCheck,
  isStopping: boolean,
): Promise<void> {
  exchange.route = FIXED_PATHS.readiness;
  const { ready, database, migrations } = await checkReadiness();
  const isReady = ready && !isStopping;
  const status = isStopping ? 'stopping' : isReady ? 'ready' : 'not ready';
  sendResponse(exchange, isReady ? 200 : 503, JSON.stringify({ status, database, migrations }));
}
