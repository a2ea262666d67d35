import type { Log } from '../core/log';

interface Options {
  log: Log;
  /** The message for the log and the error if a shop fails. */
  failureMessage: string;
  signal?: AbortSignal;
}

/**
 * Runs `work` for one shop after another. If it fails for a shop, logs the error and continues with the next shop, so that no shop
 * holds up those after it.
 *
 * @throws AggregateError with the errors of the shops that failed, after the last shop; the signal's reason if `work` fails and
 * the signal has aborted
 */
export async function forEachShop<Shop extends { shopId: number }>(
  shops: Iterable<Shop> | AsyncIterable<Shop>,
  work: (shop: Shop) => Promise<void>,
  { log, failureMessage, signal }: Options,
): Promise<void> {
  const errorByShopId = new Map<number, unknown>();
  for await (const shop of shops) {
    const { shopId } = shop;
    try {
      await work(shop);
    } catch (error) {
      signal?.throwIfAborted();
      log.warn({ err: error, shopId }, failureMessage);
      errorByShopId.set(shopId, error);
    }
  }
  if (errorByShopId.size > 0)
    throw new AggregateError(
      errorByShopId.values(),
      `${failureMessage}: ${[...errorByShopId.keys()].join(', ')}`,
    );
}
