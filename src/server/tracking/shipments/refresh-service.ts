import type pg from 'pg';
import { isServiceError } from '../../core/errors/errors';
import type { TrackingStatus } from '../../core/statuses';
import type { Database } from '../../db/client';
import { inTransaction } from '../../db/transaction';
import type { CarrierGate } from '../carriers/carrier-gate';
import { countNewEvents } from '../merge-service';
import * as sql from './carrier-queries.queries';
import { QUERYABLE_NUMBER, queryAndMergeAnswers } from './carrier-query-service';

/** The maximum number of shipments per query. 17TRACK needs one call for them, or three if it registers some; Yanwen needs two. */
const BATCH_SIZE = 40;

/** The maximum number of tracking numbers read at a time. Many of them may not be due, because their news or orders are too old. */
const PAGE_SIZE = 1_000;

/** How many batches in a row may have numbers that an import has locked. After that, an import of very many numbers is running. */
const MAX_BUSY_BATCHES = 3;

/** Shipments with one of these statuses are not queried again. An index (`tracking_numbers_due_idx`) leaves them out. */
const FINAL_STATUSES: readonly TrackingStatus[] = ['delivered', 'expired'];

interface Limits {
  queriedBefore: Date;
  days: number;
}

/** A position in the list of numbers that may be due. */
interface Cursor {
  cursorAt: string | null;
  cursorNumber: string | null;
}

/**
 * Returns the due numbers on the page after a cursor, and the cursor of the next page, which is null at the end of the list.
 */
async function listDueNumbers(
  client: pg.PoolClient,
  { queriedBefore, days }: Limits,
  cursor: Cursor,
): Promise<{ dueNumbers: string[]; next: Cursor | null }> {
  const rows = await sql.listUnfinishedNumbers.run(client, {
    finalStatuses: FINAL_STATUSES,
    queriedBefore,
    days,
    pattern: QUERYABLE_NUMBER.source,
    limit: PAGE_SIZE,
    ...cursor,
  });
  const candidateRows = rows.filter((row) => row.may_be_due);
  const numbersWithoutStatus = candidateRows
    .filter((row) => !row.has_status)
    .map((row) => row.tracking_number);
  const saleRows =
    numbersWithoutStatus.length > 0
      ? await sql.listSales.run(client, { trackingNumbers: numbersWithoutStatus, days })
      : [];
  const isRecentByNumber = new Map(saleRows.map((row) => [row.tracking_number, row.is_recent]));
  const dueRows = candidateRows.filter(
    (row) => row.has_status || (isRecentByNumber.get(row.tracking_number) ?? row.is_new),
  );
  const lastRow = rows.length === PAGE_SIZE ? rows.at(-1) : undefined;
  return {
    dueNumbers: dueRows.map((row) => row.tracking_number),
    next: lastRow ? { cursorAt: lastRow.asked_at, cursorNumber: lastRow.tracking_number } : null,
  };
}

/**
 * Claims due shipments, so that no other server queries them too. Skips those that other servers are working on, so it never
 * waits.
 *
 * @param startCursor where the last claim stopped
 * @returns the claimed numbers, none if no more are due, and the cursor of the page to continue with, which no longer lists the
 * claimed numbers
 */
function claimShipments(
  db: Database,
  limits: Limits,
  startCursor: Cursor,
): Promise<{ numbers: string[]; next: Cursor }> {
  const { queriedBefore } = limits;
  return inTransaction(db.pool, async (client) => {
    const trackingNumbers: string[] = [];
    let next = startCursor;
    for (let cursor: Cursor | null = startCursor; cursor && trackingNumbers.length < BATCH_SIZE; ) {
      next = cursor;
      const page = await listDueNumbers(client, limits, cursor);
      for (const trackingNumber of page.dueNumbers) {
        if (trackingNumbers.length === BATCH_SIZE) break;
        const parameters = { trackingNumber, finalStatuses: FINAL_STATUSES, queriedBefore };
        const [lockedRow] = await sql.lockDueNumber.run(client, parameters);
        if (lockedRow) trackingNumbers.push(trackingNumber);
      }
      cursor = page.next;
    }
    if (trackingNumbers.length > 0) await sql.claimNumbers.run(client, { queriedBefore, trackingNumbers });
    return { numbers: trackingNumbers, next };
  });
}

/** The result of a refresh. */
export interface RefreshResult {
  queried: number;
  changed: number;
  newEvents: number;
  updatedOrders: number;
}

/**
 * Queries the carrier about all shipments that are neither delivered nor expired and whose status began within the last `days`
 * days, and merges its answers. A shipment without a status is queried if its newest order was sold in that time or, without a
 * sale, if it was added in that time. Numbers that the carrier does not track yet are registered if that is configured. Each
 * shipment is queried at most once per `queriedBefore`, by the server that claims it first. If that query fails, it is not
 * repeated until a run with a later `queriedBefore`; the same holds for a batch with numbers that an import has locked for too
 * long. Skips numbers that carriers do not accept, and does nothing if no carrier is configured.
 *
 * @throws ServiceError with `source: "carrier"` if the carrier query fails; `service_unavailable` if an import has locked numbers of
 * several batches in a row; the signal's reason if it aborts. Shipments not yet claimed wait for the next run
 */
export async function refreshShipments(
  db: Database,
  carrier: CarrierGate,
  limits: { queriedBefore: Date; days: number; signal: AbortSignal },
): Promise<RefreshResult> {
  const total: RefreshResult = { queried: 0, changed: 0, newEvents: 0, updatedOrders: 0 };
  if (carrier.name === null) return total;
  let busyBatchCount = 0;
  for (let cursor: Cursor = { cursorAt: null, cursorNumber: null }; ; ) {
    limits.signal.throwIfAborted();
    const { numbers, next } = await claimShipments(db, limits, cursor);
    if (numbers.length === 0) return total;
    cursor = next;
    const { mergeResult } = await queryAndMergeAnswers(db, carrier, numbers).catch((error: unknown) => {
      const isBusy = isServiceError(error) && error.code === 'service_unavailable';
      if (!isBusy || ++busyBatchCount === MAX_BUSY_BATCHES) throw error;
      return { mergeResult: null };
    });
    if (!mergeResult) continue;
    busyBatchCount = 0;
    total.queried += numbers.length;
    total.changed += mergeResult.changes.length;
    total.newEvents += countNewEvents(mergeResult);
    total.updatedOrders += mergeResult.changedOrderIds.size;
  }
}
