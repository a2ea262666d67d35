import { inTransaction } from '../../core/postgres';
import type { TrackingStatus } from '../../core/statuses';
import type { Database } from '../../db/client';
import type { CarrierGate } from '../carriers/carrier-gate';
import * as sql from './carrier-queries.queries';
import { QUERYABLE, queryAndMerge } from './carrier-query-service';

/** Shipments per query: as many as either carrier takes in one or two calls. */
const BATCH_SIZE = 40;

/** Shipments with one of these statuses are not queried again. */
const FINAL: readonly TrackingStatus[] = ['delivered', 'expired'];

/**
 * Claims the shipments that are due, so that no other server queries them too. It skips those that others are working on and so
 * never waits.
 */
function claimShipments(db: Database, limits: { queriedBefore: Date; days: number }): Promise<string[]> {
  const { queriedBefore, days } = limits;
  return inTransaction(db.pool, async (client) => {
    const due = await sql.lockDueNumbers.run(client, {
      finalStatuses: FINAL,
      queriedBefore,
      days,
      limit: BATCH_SIZE,
      pattern: QUERYABLE.source,
    });
    const trackingNumbers = due.map((row) => row.tracking_number);
    if (due.length > 0) await sql.claimNumbers.run(client, { queriedBefore, trackingNumbers });
    return trackingNumbers;
  });
}

/** The result of a refresh. */
export interface Refreshed {
  queried: number;
  changed: number;
  newEvents: number;
  updatedOrders: number;
}

/**
 * Queries the carrier for the shipments in transit and merges its answers; numbers that it does not track yet are registered if
 * that is configured. Skips delivered and expired shipments, and those without news for `days`. Each shipment is queried once
 * before `queriedBefore` moves on, by the server that claims it first; after a failed query it has its next turn then. Does
 * nothing if no carrier is configured.
 *
 * @throws ServiceError with `source: "carrier"` if the carrier query fails, or Error if it was stopped; shipments not yet
 * claimed wait for the next run
 */
export async function refreshShipments(
  db: Database,
  carrier: CarrierGate,
  limits: { queriedBefore: Date; days: number; signal: AbortSignal },
): Promise<Refreshed> {
  const total: Refreshed = { queried: 0, changed: 0, newEvents: 0, updatedOrders: 0 };
  if (carrier.name === null) return total;
  for (;;) {
    limits.signal.throwIfAborted();
    const numbers = await claimShipments(db, limits);
    if (numbers.length === 0) return total;
    const { merged } = await queryAndMerge(db, carrier, numbers);
    total.queried += numbers.length;
    total.changed += merged.changes.length;
    total.newEvents += merged.newEvents.reduce((sum, { count }) => sum + count, 0);
    total.updatedOrders += merged.changedOrderIds.size;
  }
}
