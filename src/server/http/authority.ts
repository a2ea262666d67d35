import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Exchange } from './exchange';

/** Whether nothing of the request is still on its way: it has no body, or the last byte of it has been received. */
function hasArrived({ complete, headers }: IncomingMessage): boolean {
  if (complete) return true;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/**
 * Reads who asks, and remembers whether the whole request was there by then. A body that came in the same packet as the head is
 * parsed by the next turn of the event loop, so most requests need no second reading.
 *
 * @throws ServiceError as `read` does
 */
export async function readAuthority(exchange: Exchange, read: () => Promise<void>): Promise<void> {
  if (!hasArrived(exchange.req)) await nextTurn();
  const ofWholeRequest = hasArrived(exchange.req);
  await read();
  // Known only now: another call of the batch must not rely on a reading that has no answer yet.
  exchange.authority = { read, ofWholeRequest, used: false };
}

/**
 * Makes sure that the caller may still ask. The authority is read again where the last reading began before the last byte of
 * the request arrived, as a caller can hold that byte back for as long as they like, and before each further change of the same
 * request, as in a batch.
 *
 * @throws ServiceError `unauthorized` or `forbidden` where the caller was revoked, deactivated or demoted meanwhile
 */
export async function confirmAuthority(exchange: Exchange, changes: boolean): Promise<void> {
  const known = exchange.authority;
  // Nothing was read that could be out of date: without a caller a procedure refuses by itself.
  if (!known) return;
  const isGood = known.ofWholeRequest && !(changes && known.used);
  if (changes) known.used = true;
  if (isGood) return;
  await readAuthority(exchange, known.read);
  if (changes && exchange.authority) exchange.authority.used = true;
}
