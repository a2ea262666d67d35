import type { z } from 'zod';
import type { Actor } from '../../audit/service';
import { normaliseOrderNumber } from '../../core/text/order-number';
import { normaliseTrackingNumber } from '../../core/text/text';
import type { Database } from '../../db/client';
import { listSharedNumbers } from './shared-numbers-service';
import { addTrackingNumbers } from './tracking-number-service';
import * as sql from './tracking-paste.queries';
import type { pastedTrackingRow, pasteTrackingOutput } from './tracking-paste-schema';

type Row = z.output<typeof pastedTrackingRow>;

/**
 * Adds tracking numbers to orders, finding each shop by the order number. A row is refused unless exactly one shop in use has
 * its order number; if the row names a shop, only that shop counts. The other rows are applied in one transaction per shop. Sending
 * the same rows again changes nothing.
 */
export async function pasteTrackingNumbers(
  db: Database,
  actor: Actor,
  rows: readonly Row[],
): Promise<z.output<typeof pasteTrackingOutput>> {
  const receiptIds = [...new Set(rows.map((row) => normaliseOrderNumber(row.receipt_id)))];
  const shopsByReceiptId = new Map<string, { id: number; name: string }[]>();
  for (const { receipt_id, shop_id: id, shop: name } of await sql.findShopsOfReceipts.run(db.pool, {
    receiptIds,
  }))
    shopsByReceiptId.set(receipt_id, [...(shopsByReceiptId.get(receipt_id) ?? []), { id, name }]);

  const refusedRows: z.output<typeof pasteTrackingOutput>['refused'] = [];
  const rowsByShop = new Map<number, Omit<Row, 'shop_id'>[]>();
  rows.forEach(({ shop_id: namedShopId, ...row }, index) => {
    const shops = shopsByReceiptId.get(normaliseOrderNumber(row.receipt_id)) ?? [];
    const [shop, ...otherShops] = shops.filter(({ id }) => namedShopId === undefined || id === namedShopId);
    if (!shop || otherShops.length > 0) refusedRows.push({ row: index, shops });
    else {
      const shopRows = rowsByShop.get(shop.id);
      if (shopRows) shopRows.push(row);
      else rowsByShop.set(shop.id, [row]);
    }
  });

  const totals = { added: 0, unchanged: 0, orders: 0 };
  for (const [shopId, shopRows] of rowsByShop) {
    const result = await addTrackingNumbers(db, actor, { shopId, rows: shopRows });
    totals.added += result.added;
    totals.unchanged += result.unchanged;
    totals.orders += result.orders;
  }
  const appliedNumbers = [...rowsByShop.values()]
    .flat()
    .map(({ tracking_number: number }) => normaliseTrackingNumber(number));
  const sharedNumbers = await listSharedNumbers(db, appliedNumbers);
  return {
    ...totals,
    refused: refusedRows,
    shared_numbers: Array.from(sharedNumbers, ([tracking_number, orders]) => ({ tracking_number, orders })),
  };
}
