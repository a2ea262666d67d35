import type { z } from 'zod';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { isCurrency } from '../../core/money/iso-currencies';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { findShopsOfOrders } from '../shop-orders-service';
import { SUB_STATUS_ORDER } from '../tracking/event-order';
import { listSharedNumbers } from '../tracking/shared-numbers-service';
import { shipmentCarrierCode } from '../tracking/shipment-carrier';
import * as sql from './detail.queries';
import type { orderDetailOutput } from './schema';

type OrderDetail = z.output<typeof orderDetailOutput>;

/**
 * Returns one order with its items, its shipments with their newest events, its notes, and its latest changes.
 *
 * @throws ServiceError `not_found`
 */
export async function readOrder(db: Database, orderId: string, userId: number): Promise<OrderDetail> {
  const [shopOrders] = await findShopsOfOrders(db.pool, [orderId]);
  const key = { shopId: shopOrders?.shopId ?? 0, orderId };
  const [order] = shopOrders ? await sql.readOrder.run(db.pool, key) : [];
  if (!order) throw notFound(createReason('answer.noOrder', { id: orderId }));
  const [items, shipments, notes, history] = await Promise.all([
    sql.listItems.run(db.pool, key),
    sql.listShipments.run(db.pool, key),
    sql.listNotes.run(db.pool, { ...key, userId }),
    sql.listHistory.run(db.pool, key),
  ]);
  const trackingNumbers = shipments.map((shipment) => shipment.tracking_number);
  const [numberRows, events, sharedNumbers] = await Promise.all([
    sql.readTrackingNumbers.run(db.pool, { trackingNumbers }),
    sql.listEvents.run(db.pool, { trackingNumbers, progress: SUB_STATUS_ORDER }),
    listSharedNumbers(db, trackingNumbers),
  ]);
  const rowByNumber = new Map(numberRows.map((row) => [row.tracking_number, row]));
  return {
    ...withIsoInstants(order),
    currency_known: order.currency !== null && isCurrency(order.currency),
    items: items as OrderDetail['items'],
    shipments: shipments.flatMap(({ tracking_number, carrier_code }) => {
      const row = rowByNumber.get(tracking_number);
      if (!row) return [];
      return {
        ...row,
        carrier_code: shipmentCarrierCode({
          shipment: carrier_code,
          reported: row.carrier_code,
          order: order.carrier_code,
        }),
        other_orders: (sharedNumbers.get(tracking_number) ?? [])
          .filter(({ id }) => id !== orderId)
          .slice(0, 5),
        events: events
          .filter((event) => event.tracking_number === tracking_number)
          .map(({ tracking_number: _, ...event }) => withIsoInstants(event)),
      };
    }),
    notes: notes.map(withIsoInstants),
    history: history.map(withIsoInstants) as OrderDetail['history'],
  };
}
