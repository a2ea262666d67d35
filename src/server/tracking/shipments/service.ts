import type { z } from 'zod';
import { encodeTimeCursor } from '../../core/cursor';
import { ServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import { TRACKING_STATUSES } from '../../core/statuses';
import { normaliseTrackingNumber } from '../../core/text/text';
import type { Database } from '../../db/client';
import { SUB_STATUS_ORDER } from '../../orders/tracking/event-order';
import { carrierName } from '../carriers/carrier-name';
import { shipmentsPage } from './list-sql';
import type {
  shipmentCarriersOutput,
  shipmentCountsOutput,
  shipmentListInput,
  shipmentListOutput,
  shipmentOutput,
} from './schema';
import * as sql from './shipments.queries';

/** A row of the list; its carrier's display name is added from the code. */
export type ListedShipment = Omit<z.output<typeof shipmentListOutput>['shipments'][number], 'carrier'>;

const MOST_CARRIERS = 200;

/** Returns the number of shipments per status. */
export async function countShipments(
  db: Database,
  shopIds: readonly number[] | undefined,
): Promise<z.output<typeof shipmentCountsOutput>> {
  const rows = shopIds
    ? await sql.countByStatusInShops.run(db.pool, { shopIds })
    : await sql.countByStatus.run(db.pool);
  const counted = new Map(rows.map(({ status, count }) => [status, count]));
  const statuses = TRACKING_STATUSES.map((status) => ({ status, count: counted.get(status) ?? 0 }));
  return { statuses, total: statuses.reduce((sum, { count }) => sum + count, 0) };
}

/** Returns the carriers of all shipments. */
export async function listCarriers(db: Database): Promise<z.output<typeof shipmentCarriersOutput>> {
  const rows = await sql.listCarriers.run(db.pool, { limit: MOST_CARRIERS });
  return rows.map(({ code }) => ({ code, name: carrierName(code) }));
}

/**
 * Returns a page of shipments, the most recent status first.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listShipments(
  db: Database,
  query: z.output<typeof shipmentListInput>,
): Promise<z.output<typeof shipmentListOutput>> {
  const { rows } = await db.pool.query<ListedShipment>(shipmentsPage(query));
  const shipments = rows
    .slice(0, query.limit)
    .map((row) => ({ ...row, carrier: carrierName(row.carrier_code) }));
  const last = shipments.at(-1);
  const next =
    rows.length > query.limit && last ? encodeTimeCursor({ at: last.since, id: last.tracking_number }) : null;
  return { shipments, next };
}

/** Returns the rows without the total that each of them repeats, and the total. */
function withTotal<Row extends { total: number }>(rows: readonly Row[]) {
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/**
 * Returns one shipment with all of its observations and orders.
 *
 * @throws ServiceError `not_found`
 */
export async function readShipment(db: Database, given: string): Promise<z.output<typeof shipmentOutput>> {
  const trackingNumber = normaliseTrackingNumber(given);
  const [[shipment], orders, events] = await Promise.all([
    sql.readShipment.run(db.pool, { trackingNumber }),
    sql.listOrdersOfNumber.run(db.pool, { trackingNumber }).then(withTotal),
    sql.listObservations.run(db.pool, { trackingNumber, progress: SUB_STATUS_ORDER }).then(withTotal),
  ]);
  if (!shipment) throw new ServiceError('not_found', because('answer.noShipment'));
  return {
    ...shipment,
    carrier: carrierName(shipment.carrier_code),
    orders: orders.rows,
    order_count: orders.total,
    events: events.rows,
    event_count: events.total,
  };
}
