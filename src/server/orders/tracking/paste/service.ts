import type { z } from 'zod';
import type { Actor } from '../../../audit/service';
import { isServiceError } from '../../../core/errors/errors';
import { parseRowPath } from '../../../core/errors/row-path';
import { normaliseOrderNumber } from '../../../core/text/order-number';
import { normaliseTrackingNumber } from '../../../core/text/text';
import type { Database } from '../../../db/client';
import { listSharedNumbers } from '../shared-numbers-service';
import { addTrackingNumbers } from '../tracking-number-service';
import type { pastedTrackingRow, pasteTrackingOutput } from './schema';
import * as sql from './tracking-paste.queries';

type Row = z.output<typeof pastedTrackingRow>;

/** A row, and its index in the request. */
interface IndexedRow {
  index: number;
  row: Omit<Row, 'shop_id'>;
}

type ShopOfReceipt = { id: number; name: string };

/** Returns the shops in use that have orders with these order numbers, by order number. */
async function findShopsByReceiptId(
  db: Database,
  rows: readonly Pick<Row, 'receipt_id'>[],
): Promise<Map<string, ShopOfReceipt[]>> {
  const receiptIds = [...new Set(rows.map((row) => normaliseOrderNumber(row.receipt_id)))];
  const shopsByReceiptId = new Map<string, ShopOfReceipt[]>();
  for (const { receipt_id, shop_id: id, shop: name } of await sql.findShopsOfReceipts.run(db.pool, {
    receiptIds,
  }))
    shopsByReceiptId.set(receipt_id, [...(shopsByReceiptId.get(receipt_id) ?? []), { id, name }]);
  return shopsByReceiptId;
}

/** Returns the positions of the rows whose orders the shop does not have, or null for an error with any other problem. */
function positionsWithoutOrder(error: unknown): Set<number> | null {
  if (!isServiceError(error) || error.problems.length === 0) return null;
  if (error.problems.some(({ reason }) => reason !== 'order.unknown')) return null;
  return new Set(error.problems.map(({ path }) => parseRowPath(path)!.row));
}

/**
 * Adds the tracking numbers of one shop's rows in one transaction, except those whose orders have been removed since their shop was
 * found, such as by an undo.
 *
 * @returns what was added, and the rows without an order
 */
async function addToShop(
  db: Database,
  actor: Actor,
  shopId: number,
  shopRows: readonly IndexedRow[],
): Promise<{ added: number; unchanged: number; orders: number; rowsWithoutOrder: IndexedRow[] }> {
  const rowsWithoutOrder: IndexedRow[] = [];
  let remainingRows = shopRows;
  while (remainingRows.length > 0) {
    try {
      const rows = remainingRows.map(({ row }) => row);
      return { ...(await addTrackingNumbers(db, actor, { shopId, rows })), rowsWithoutOrder };
    } catch (error) {
      const positions = positionsWithoutOrder(error);
      if (positions === null) throw error;
      rowsWithoutOrder.push(...remainingRows.filter((_, position) => positions.has(position)));
      remainingRows = remainingRows.filter((_, position) => !positions.has(position));
    }
  }
  return { added: 0, unchanged: 0, orders: 0, rowsWithoutOrder };
}

/**
 * Adds tracking numbers to orders, finding each shop by the order number. A row is refused unless exactly one shop in use has
 * its order number; if the row names a shop, only that shop counts. The other rows are applied in one transaction per shop; those
 * whose orders are removed meanwhile are refused too. Sending the same rows again changes nothing.
 */
export async function pasteTrackingNumbers(
  db: Database,
  actor: Actor,
  rows: readonly Row[],
): Promise<z.output<typeof pasteTrackingOutput>> {
  const shopsByReceiptId = await findShopsByReceiptId(db, rows);
  const refusedRows: z.output<typeof pasteTrackingOutput>['refused'] = [];
  const rowsByShop = new Map<number, IndexedRow[]>();
  rows.forEach(({ shop_id: namedShopId, ...row }, index) => {
    const shops = shopsByReceiptId.get(normaliseOrderNumber(row.receipt_id)) ?? [];
    const [shop, ...otherShops] = shops.filter(({ id }) => namedShopId === undefined || id === namedShopId);
    if (!shop || otherShops.length > 0) refusedRows.push({ row: index, shops });
    else {
      const shopRows = rowsByShop.get(shop.id);
      if (shopRows) shopRows.push({ index, row });
      else rowsByShop.set(shop.id, [{ index, row }]);
    }
  });

  const totals = { added: 0, unchanged: 0, orders: 0 };
  const rowsWithoutOrder: IndexedRow[] = [];
  for (const [shopId, shopRows] of rowsByShop) {
    const result = await addToShop(db, actor, shopId, shopRows);
    totals.added += result.added;
    totals.unchanged += result.unchanged;
    totals.orders += result.orders;
    rowsWithoutOrder.push(...result.rowsWithoutOrder);
  }
  if (rowsWithoutOrder.length > 0) {
    const currentShops = await findShopsByReceiptId(
      db,
      rowsWithoutOrder.map(({ row }) => row),
    );
    for (const { index, row } of rowsWithoutOrder)
      refusedRows.push({ row: index, shops: currentShops.get(normaliseOrderNumber(row.receipt_id)) ?? [] });
  }
  const refusedIndexes = new Set(refusedRows.map(({ row }) => row));
  const appliedNumbers = rows
    .filter((_, index) => !refusedIndexes.has(index))
    .map(({ tracking_number: number }) => normaliseTrackingNumber(number));
  const sharedNumbers = await listSharedNumbers(db, appliedNumbers);
  return {
    ...totals,
    refused: refusedRows.sort((a, b) => a.row - b.row),
    shared_numbers: Array.from(sharedNumbers, ([tracking_number, orders]) => ({ tracking_number, orders })),
  };
}
