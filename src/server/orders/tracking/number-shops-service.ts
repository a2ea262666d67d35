import type pg from 'pg';
import type { ShopOrders } from '../shop-orders-service';
import * as sql from './number-shops.queries';

/**
 * Locks tracking numbers until the transaction ends, inserts new ones, and records that the shop has shipments with them. Carriers
 * report a number but no shop, so these records are how its orders are found. Call it before shipments are stored and before
 * orders are locked: imports, callbacks and users all lock in this order.
 *
 * @param shipmentsJson a list of objects with `tracking_number`
 */
export async function addNumbersToShop(
  client: pg.PoolClient,
  shopId: number,
  shipmentsJson: string | Uint8Array,
): Promise<void> {
  await sql.lockTrackingNumbers.runPrepared(client, { shipments: shipmentsJson });
  await sql.addShop.runPrepared(client, { shopId, shipments: shipmentsJson });
}

/** Like {@link addNumbersToShop}, but does not record a shop. Call it before orders are locked. */
export async function lockTrackingNumbers(
  client: pg.PoolClient,
  shipments: readonly { tracking_number: string }[],
): Promise<void> {
  if (shipments.length === 0) return;
  await sql.lockTrackingNumbers.runPrepared(client, { shipments: JSON.stringify(shipments) });
}

/**
 * Removes the shop from the numbers that none of its shipments has any more. Of these, numbers that no shop has join the queue of
 * unmatched callbacks if a callback that is still stored has reported an event for them; those with neither a shop nor an event
 * are deleted. The caller must hold the numbers' locks.
 */
export async function removeNumbersFromShop(
  client: pg.PoolClient,
  shopId: number,
  trackingNumbers: readonly string[],
): Promise<void> {
  if (trackingNumbers.length === 0) return;
  const unusedRows = await sql.findUnusedNumbers.run(client, { shopId, trackingNumbers });
  if (unusedRows.length === 0) return;
  const unusedNumbers = unusedRows.map((row) => row.tracking_number);
  await sql.removeShop.run(client, { shopId, trackingNumbers: unusedNumbers });
  await sql.addUnmatched.run(client, {
    trackingNumbers: unusedNumbers,
    callbackNumbers: [],
    numbersWithNewEvents: [],
  });
  await deleteUnusedNumbers(client, unusedNumbers);
}

/**
 * Deletes the given numbers that have neither a shop nor an event, so that no carrier is queried for them. The caller must hold
 * the numbers' locks.
 */
export async function deleteUnusedNumbers(
  client: pg.PoolClient,
  trackingNumbers: readonly string[],
): Promise<void> {
  await sql.deleteUnusedNumbers.run(client, { trackingNumbers });
}

/**
 * Records which of the numbers callbacks have reported and no order has, for the queue of unmatched callbacks. News from a query
 * counts as well as that from a callback, so that it does not matter which of the two came first. The caller must hold the numbers'
 * locks.
 *
 * @param numbers.callbackNumbers those that a callback has just reported
 */
export async function recordUnmatchedNumbers(
  client: pg.PoolClient,
  numbers: {
    trackingNumbers: readonly string[];
    callbackNumbers: readonly string[];
    numbersWithNewEvents: readonly string[];
  },
): Promise<void> {
  if (numbers.trackingNumbers.length === 0) return;
  await sql.addUnmatched.runPrepared(client, numbers);
}

/** A shop's orders that have at least one of the given tracking numbers, with the shipments that match. */
export interface ShopOrdersWithShipments extends ShopOrders {
  shipments: { tracking_number: string; order_id: string }[];
}

/** Returns the orders that have shipments with the numbers, shop by shop, sorted by shop id. */
export async function findOrdersByTrackingNumber(
  client: pg.PoolClient,
  trackingNumbers: readonly string[],
): Promise<ShopOrdersWithShipments[]> {
  const ordersByShop: ShopOrdersWithShipments[] = [];
  for (const shop of await sql.findShops.runPrepared(client, { trackingNumbers })) {
    const { shop_id: shopId, tracking_numbers } = shop;
    const shipments = await sql.findOrders.runPrepared(client, { shopId, trackingNumbers: tracking_numbers });
    const orderIds = [...new Set(shipments.map((shipment) => shipment.order_id))];
    if (orderIds.length > 0) ordersByShop.push({ shopId, orderIds, shipments });
  }
  return ordersByShop;
}
