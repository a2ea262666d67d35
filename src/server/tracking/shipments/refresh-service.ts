import { inTransaction } from '../../core/postgres';
import type { Database } from '../../db/client';
import type { CarrierGate } from '../carriers/carrier-gate';
import type { TrackingStatus } from '../status';
import { ASKABLE, askAndMerge } from './ask-service';

/** Parcels of one question: as many as both carriers take in one call or two. */
const PARCELS_AT_ONCE = 40;

/** Of a parcel in one of these the carrier is not asked again. */
const FINAL: readonly TrackingStatus[] = ['delivered', 'expired'];

/** A parcel's last news: its status's time, else the newest sale that travels in it, else when it became known. */
const LAST_NEWS = `
coalesce(w.status_at, (SELECT max(o.sale_date) FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
                        WHERE s.tracking_number = w.tracking_number), w.created_at)`;

/**
 * $1 final statuses, $2 asked before, $3 days, $4 how many, $5 what a carrier takes for a number. Takes the parcels whose turn
 * it is, those first that were asked about longest ago, so that no other server takes them too. It skips what others hold and
 * so waits for nobody; the clock of the server that set $2 may be ahead of the database's.
 */
const TAKE = `
UPDATE waybills w SET asked_at = greatest(now(), $2::timestamptz)
 WHERE w.tracking_number IN (
   SELECT w.tracking_number FROM waybills w
    WHERE w.status <> ALL($1::tracking_status[]) AND (w.asked_at IS NULL OR w.asked_at < $2)
      AND w.tracking_number ~ $5 AND ${LAST_NEWS} > now() - make_interval(days => $3)
    ORDER BY w.asked_at NULLS FIRST, w.tracking_number LIMIT $4 FOR UPDATE SKIP LOCKED)
RETURNING w.tracking_number`;

/** What a round of questions came to. */
export interface Refreshed {
  asked: number;
  changed: number;
  newEvents: number;
  updatedOrders: number;
}

/**
 * Asks the carrier about the parcels that are under way and merges what it answers; numbers that it does not follow yet are
 * registered where that is configured. Delivered and expired parcels are left alone, and those of which nothing has been new
 * for `days`. Each parcel is asked about once before `askedBefore` moves on, by whichever server takes it first; one whose
 * question failed has its turn again then. Does nothing where no carrier is configured.
 *
 * @throws ServiceError with `source: "carrier"` where the carrier gives no answer, or Error where it was stopped; the parcels
 *   that were not taken yet are for the next try
 */
export async function refreshParcels(
  db: Database,
  carrier: CarrierGate,
  limits: { askedBefore: Date; days: number; signal: AbortSignal },
): Promise<Refreshed> {
  const total: Refreshed = { asked: 0, changed: 0, newEvents: 0, updatedOrders: 0 };
  if (carrier.name === null) return total;
  const values = [FINAL, limits.askedBefore, limits.days, PARCELS_AT_ONCE, ASKABLE.source];
  for (;;) {
    limits.signal.throwIfAborted();
    const numbers = await inTransaction(db.pool, async (client) => {
      const { rows } = await client.query<{ tracking_number: string }>(TAKE, values);
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
