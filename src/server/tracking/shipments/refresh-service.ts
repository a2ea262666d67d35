import { inTransaction } from '../../core/postgres';
import type { TrackingStatus } from '../../core/statuses';
import type { Database } from '../../db/client';
import type { CarrierGate } from '../carriers/carrier-gate';
import { ASKABLE, askAndMerge } from './ask-service';

/** Shipments per query: as many as either carrier takes in one or two calls. */
const BATCH_SIZE = 40;

/** Shipments with one of these statuses are not queried again. */
const FINAL: readonly TrackingStatus[] = ['delivered', 'expired'];

/** A shipment's last activity: the time of its status, else its newest order's sale, else its creation. */
const LAST_NEWS = `
coalesce(w.status_at, (SELECT max(o.sale_date) FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
                        WHERE s.tracking_number = w.tracking_number), w.created_at)`;

/**
 * $1 final statuses, $2 asked before, $3 days, $4 how many, $5 pattern of valid numbers. Claims the shipments that are due,
 * those queried longest ago first, so that no other server claims them too. It skips rows locked by others and so never waits.
 * The clock of the server that set $2 may be ahead of the database's.
 */
const CLAIM = `
UPDATE waybills w SET asked_at = greatest(now(), $2::timestamptz)
 WHERE w.tracking_number IN (
   SELECT w.tracking_number FROM waybills w
    WHERE w.status <> ALL($1::tracking_status[]) AND (w.asked_at IS NULL OR w.asked_at < $2)
      AND w.tracking_number ~ $5 AND ${LAST_NEWS} > now() - make_interval(days => $3)
    ORDER BY w.asked_at NULLS FIRST, w.tracking_number LIMIT $4 FOR UPDATE SKIP LOCKED)
RETURNING w.tracking_number`;

/** The result of a refresh. */
export interface Refreshed {
  asked: number;
  changed: number;
  newEvents: number;
  updatedOrders: number;
}

/**
 * Asks the carrier about the shipments in transit and merges its answers; numbers that it does not track yet are registered if
 * that is configured. Skips delivered and expired shipments, and those without news for `days`. Each shipment is queried once
 * before `askedBefore` moves on, by the server that claims it first; after a failed query it has its next turn then. Does
 * nothing if no carrier is configured.
 *
 * @throws ServiceError with `source: "carrier"` if the carrier query fails, or Error if it was stopped; shipments not yet
 * claimed wait for the next run
 */
export async function refreshShipments(
  db: Database,
  carrier: CarrierGate,
  limits: { askedBefore: Date; days: number; signal: AbortSignal },
): Promise<Refreshed> {
  const total: Refreshed = { asked: 0, changed: 0, newEvents: 0, updatedOrders: 0 };
  if (carrier.name === null) return total;
  const values = [FINAL, limits.askedBefore, limits.days, BATCH_SIZE, ASKABLE.source];
  for (;;) {
    limits.signal.throwIfAborted();
    const numbers = await inTransaction(db.pool, async (client) => {
      const { rows } = await client.query<{ tracking_number: string }>(CLAIM, values);
      return rows.map((row) => row.tracking_number);
    });
    if (numbers.length === 0) return total;
    const { merged } = await askAndMerge(db, carrier, numbers);
    total.asked += numbers.length;
    total.changed += merged.changes.length;
    total.newEvents += merged.newEvents.reduce((sum, { count }) => sum + count, 0);
    total.updatedOrders += merged.changedOrderIds.size;
  }
}
