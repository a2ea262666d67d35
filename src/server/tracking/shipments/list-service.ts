import type { z } from 'zod';
import { encodeTimeCursor } from '../../core/lists/cursor';
import type { Database } from '../../db/client';
import { SUB_STATUS_ORDER } from '../../orders/tracking/event-order';
import { shipmentCarrierCode } from '../../orders/tracking/shipment-carrier';
import { carrierName } from '../carriers/carrier-name';
import { findCandidates } from './candidates-service';
import { shipmentsStatement } from './list-sql';
import type { shipmentListInput, shipmentListOutput } from './schema';
import * as sql from './shipments.queries';

type Query = z.output<typeof shipmentListInput>;
type ListedShipment = z.output<typeof shipmentListOutput>['shipments'][number];

/** A shipment as stored with its tracking number. */
export type ShipmentRow = Omit<ListedShipment, 'carrier' | 'order' | 'order_count' | 'last_event'>;

/** The maximum number of rows that are read at a time when filtering by carrier. */
const MAX_ROWS_PER_READ = 5_000;

const cursorAfter = ({ since, tracking_number }: ShipmentRow) =>
  encodeTimeCursor({ at: since, id: tracking_number });

/** Returns the rows whose carrier has this code, in any case. */
async function filterByCarrier(db: Database, rows: ShipmentRow[], carrier: string): Promise<ShipmentRow[]> {
  const trackingNumbers = rows.map((row) => row.tracking_number);
  const carrierRows = await sql.listCarriersOfNumbers.run(db.pool, { trackingNumbers });
  const codeByNumber = new Map(carrierRows.map((row) => [row.tracking_number, row.carrier_code]));
  return rows.filter((row) => {
    const shipment = codeByNumber.get(row.tracking_number);
    const code = shipmentCarrierCode({ shipment, reported: row.carrier_code });
    return code?.toLowerCase() === carrier.toLowerCase();
  });
}

/** Returns the first `count` shipments that match, or fewer if there are no more. */
async function findShipments(db: Database, query: Query, count: number): Promise<ShipmentRow[]> {
  const matches: ShipmentRow[] = [];
  const candidates = await findCandidates(db, query);
  if (candidates.length === 0) return matches;
  // The statement's condition on the carrier reads all shipments, which is only worth it if few numbers might have this carrier.
  const statementQuery = candidates === 'unknown' ? query : { ...query, carrier: undefined };
  const numbers = typeof candidates === 'string' ? null : candidates;
  // Each statement reads all candidates, so their carriers are compared in one pass.
  const firstLimit = numbers && query.carrier !== undefined ? numbers.length + 1 : count;
  for (let { cursor } = query, limit = firstLimit; ; limit = Math.min(limit * 4, MAX_ROWS_PER_READ)) {
    const { rows } = await db.pool.query<ShipmentRow>(
      shipmentsStatement({ ...statementQuery, cursor }, limit, numbers),
    );
    matches.push(...(query.carrier === undefined ? rows : await filterByCarrier(db, rows, query.carrier)));
    if (matches.length >= count || rows.length < limit) return matches.slice(0, count);
    cursor = cursorAfter(rows.at(-1)!);
  }
}

/** Adds the carrier, the newest order, the number of orders and the last event to each shipment. */
async function addDetails(db: Database, page: readonly ShipmentRow[]): Promise<ListedShipment[]> {
  if (page.length === 0) return [];
  const trackingNumbers = page.map((row) => row.tracking_number);
  const [orderSummaries, eventRows] = await Promise.all([
    sql.describeOrders.runPrepared(db.pool, { trackingNumbers }),
    sql.listLastEvents.runPrepared(db.pool, { trackingNumbers, progress: SUB_STATUS_ORDER }),
  ]);
  const orderSummaryByNumber = new Map(orderSummaries.map((row) => [row.tracking_number, row]));
  const eventByNumber = new Map(eventRows.map((row) => [row.tracking_number, row.event]));
  return page.map((row) => {
    const orderSummary = orderSummaryByNumber.get(row.tracking_number);
    const carrierCode = shipmentCarrierCode({
      shipment: orderSummary?.carrier_code,
      reported: row.carrier_code,
    });
    return {
      ...row,
      carrier_code: carrierCode,
      carrier: carrierName(carrierCode),
      order: (orderSummary?.newest_order ?? null) as ListedShipment['order'],
      order_count: orderSummary?.order_count ?? 0,
      last_event: (eventByNumber.get(row.tracking_number) ?? null) as ListedShipment['last_event'],
    };
  });
}

/**
 * Returns a page of shipments, the most recent status first.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listShipments(
  db: Database,
  query: Query,
): Promise<z.output<typeof shipmentListOutput>> {
  const rows = await findShipments(db, query, query.limit + 1);
  const page = rows.slice(0, query.limit);
  const next = rows.length > query.limit ? cursorAfter(page.at(-1)!) : null;
  return { shipments: await addDetails(db, page), next };
}
