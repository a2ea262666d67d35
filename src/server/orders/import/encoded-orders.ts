import { JsonListWriter } from '../../core/text/json-list-writer';
import type { SuspectSku } from './imported-orders';
import type { ImportedOrder } from './order-fields';

/** Orders, items and shipments as the statements of an import expect them. */
export interface EncodedOrders {
  /** SKUs to look up before anything is stored: the database may know them with leading zeros. */
  suspectSkus: SuspectSku[];
  orderCount: number;
  itemCount: number;
  shipmentCount: number;
  /** Order numbers. */
  receiptIds: string[];
  /** JSON arrays in UTF-8, for json_to_recordset: batches of orders, and of their items. */
  orders: Uint8Array[];
  items: Uint8Array[];
  shipments: Uint8Array;
}

/** The maximum number of orders that one statement stores, which bounds its memory, here and in the database. */
const ORDERS_PER_BATCH = 5_000;

/** Encodes the orders one at a time, so that a lazy iterable never has to hold all unencoded orders in memory. */
export function encodeOrders(
  importedOrders: Iterable<ImportedOrder>,
  suspectSkus: SuspectSku[],
): EncodedOrders {
  const receiptIds: string[] = [];
  const batches: { orders: Uint8Array[]; items: Uint8Array[] } = { orders: [], items: [] };
  const shipmentWriter = new JsonListWriter();
  let [orderWriter, itemWriter] = [new JsonListWriter(), new JsonListWriter()];
  let itemCount = 0;
  const finishBatch = () => {
    if (orderWriter.count === 0) return;
    batches.orders.push(orderWriter.end());
    batches.items.push(itemWriter.end());
    itemCount += itemWriter.count;
    [orderWriter, itemWriter] = [new JsonListWriter(), new JsonListWriter()];
  };
  for (const importedOrder of importedOrders) {
    receiptIds.push(importedOrder.order.receipt_id);
    orderWriter.add(importedOrder.order);
    for (const item of importedOrder.items) itemWriter.add(item);
    for (const shipment of importedOrder.shipments) shipmentWriter.add(shipment);
    if (orderWriter.count === ORDERS_PER_BATCH) finishBatch();
  }
  finishBatch();
  return {
    suspectSkus,
    orderCount: receiptIds.length,
    itemCount,
    shipmentCount: shipmentWriter.count,
    receiptIds,
    ...batches,
    shipments: shipmentWriter.end(),
  };
}
