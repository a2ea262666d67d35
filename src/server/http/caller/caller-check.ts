import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Exchange } from '../exchange';

/** Returns whether the whole request has arrived: it has no body, or its last byte has been received. */
function hasArrived({ complete, headers }: IncomingMessage): boolean {
  if (complete) return true;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/**
 * Finds the caller, and records whether the whole request had arrived before the lookup began. A body in the same packet as the
 * headers is parsed by the next turn of the event loop, so most requests need no second lookup.
 *
 * @throws ServiceError as `findCaller` does
 */
export async function checkCaller(exchange: Exchange, findCaller: () => Promise<void>): Promise<void> {
  if (!hasArrived(exchange.req)) await nextTurn();
  const wasComplete = hasArrived(exchange.req);
  const beganAtMs = performance.now();
  await findCaller();
  // Set only after the lookup: another call of the batch must not rely on an unfinished one.
  exchange.callerCheck = { findCaller, wasComplete, beganAtMs, isUsedByMutation: false };
}

/**
 * Makes sure that the caller is still authorized. Repeats the lookup if the last one began before the whole request had arrived,
 * because a client can hold back the last byte as long as it likes. Also repeats it before each further change in the same
 * request, as in a batch.
 *
 * @throws ServiceError `unauthorized` or `forbidden` if the caller has since been revoked, deactivated or demoted
 */
export async function recheckCaller(exchange: Exchange, isMutation: boolean): Promise<void> {
  const lastCheck = exchange.callerCheck;
  // Nothing to recheck: without a caller, the procedure itself refuses the call.
  if (!lastCheck) return;
  const isCurrent = lastCheck.wasComplete && !(isMutation && lastCheck.isUsedByMutation);
  if (isMutation) lastCheck.isUsedByMutation = true;
  if (isCurrent) return;
  await checkCaller(exchange, lastCheck.findCaller);
  if (isMutation && exchange.callerCheck) exchange.callerCheck.isUsedByMutation = true;
}

/** How old the last lookup of the caller may be when a call that has waited begins to store, in milliseconds. */
const MAX_AGE_MS = 1_000;

/**
 * Like {@link recheckCaller}, for a call that has waited, for a thread, a lock or another request, before it changes anything.
 *
 * @param maxAgeMs repeats the lookup if the last one began longer ago than this
 * @throws ServiceError like {@link recheckCaller}
 */
export async function recheckCallerAfterWait(exchange: Exchange, maxAgeMs = MAX_AGE_MS): Promise<void> {
  const lastCheck = exchange.callerCheck;
  if (!lastCheck || performance.now() - lastCheck.beganAtMs <= maxAgeMs) return;
  await checkCaller(exchange, lastCheck.findCaller);
  if (exchange.callerCheck) exchange.callerCheck.isUsedByMutation = lastCheck.isUsedByMutation;
}
