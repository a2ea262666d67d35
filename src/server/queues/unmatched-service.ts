import type { z } from 'zod';
import { requireUnchanged } from '../audit/edit-conflict-service';
import { type Actor, writeAuditEntries } from '../audit/service';
import { notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { normaliseTrackingNumber } from '../core/text/text';
import { withIsoInstants } from '../core/time';
import type { Database } from '../db/client';
import { inTransaction } from '../db/transaction';
import type { noteUnmatchedInput, queueListInput, queueListOutput, unmatchedOutput } from './schema';
import { listSimilarNumbers } from './similar-numbers';
import * as sql from './unmatched.queries';

type Query = z.output<typeof queueListInput>;
type Entry = z.output<typeof queueListOutput>['entries'][number];

/** Returns a page of the queue of unmatched callbacks, the latest entry first. */
export async function listUnmatchedEntries(
  db: Database,
  { state, assigned }: Query,
  userId: number,
  pageRequest: { cursorPosition: string | null; cursorId: string | null; limit: number },
): Promise<(Entry & { position: string })[]> {
  const rows = await sql.listUnmatchedNumbers.run(db.pool, {
    state,
    assignedTo: assigned === 'me' ? userId : null,
    unassigned: assigned === 'nobody',
    ...pageRequest,
  });
  return rows.map(({ assignee_id: id, assignee, carrier, ...row }) => ({
    ...row,
    number: row.id,
    status: null,
    shop_id: null,
    shop: null,
    name: carrier,
    buyer: null,
    items: 0,
    cause: null,
    assigned_to: id === null || assignee === null ? null : { id, name: assignee },
    tracking_numbers: [row.id],
    reply: null,
  }));
}

const MAX_CANDIDATES = 5;
/** The maximum number of days between an order's sale and the carrier's first event. */
const MAX_DAYS_SINCE_SALE = 21;

const noNumberError = (number: string) => notFound(createReason('answer.notUnmatched', { number }));

/**
 * Returns the note on a tracking number that no order has, and the orders that it may belong to: those with a tracking number that
 * differs by one typing mistake, then paid orders without a shipment that were sold shortly before the number's first event.
 *
 * @throws ServiceError `not_found` if the number is not in the queue, for example because an order has it by now
 */
export async function readUnmatchedNumber(
  db: Database,
  input: string,
): Promise<z.output<typeof unmatchedOutput>> {
  const trackingNumber = normaliseTrackingNumber(input);
  const [unmatchedNumber] = await sql.readUnmatchedNumber.run(db.pool, { trackingNumber });
  if (!unmatchedNumber) throw noNumberError(trackingNumber);
  const { first_event_at: firstEventAt, note } = unmatchedNumber;
  const [ordersWithSimilarNumber, ordersWithoutNumber] = await Promise.all([
    sql.findOrdersByNumbers.run(db.pool, {
      trackingNumbers: listSimilarNumbers(trackingNumber),
      limit: MAX_CANDIDATES,
    }),
    sql.findOrdersWithoutNumber.run(db.pool, {
      soldBefore: firstEventAt,
      days: MAX_DAYS_SINCE_SALE,
      limit: MAX_CANDIDATES,
    }),
  ]);
  const reportedRows = await sql.listReportedNumbers.run(db.pool, {
    trackingNumbers: ordersWithSimilarNumber.map((order) => order.tracking_number),
  });
  const reportedNumbers = new Set(reportedRows.map((row) => row.tracking_number));
  return {
    candidates: [
      ...ordersWithSimilarNumber.map((order) => ({
        ...order,
        mistyped: !reportedNumbers.has(order.tracking_number),
      })),
      ...ordersWithoutNumber.map((order) => ({ ...order, tracking_number: null, mistyped: false })),
    ].map(withIsoInstants),
    note,
  };
}

/**
 * Replaces or removes the note on a tracking number in the queue.
 *
 * @throws ServiceError `not_found` if the number is not in the queue; `conflict` if the stored note is neither the one in `shown`
 * nor the new one
 */
export function setUnmatchedNote(
  db: Database,
  actor: Actor,
  { tracking_number: input, text, shown }: z.output<typeof noteUnmatchedInput>,
): Promise<void> {
  const trackingNumber = normaliseTrackingNumber(input);
  return inTransaction(db.pool, async (client) => {
    const [lockedNumber] = await sql.lockNote.run(client, { trackingNumber });
    if (!lockedNumber) throw noNumberError(trackingNumber);
    const record = { recordType: 'shipment' as const, recordId: trackingNumber };
    const stored = { text: lockedNumber.note };
    await requireUnchanged(client, actor, record, { shown, stored, newValues: { text } });
    if (stored.text === text) return;
    await sql.setNote.run(client, { trackingNumber, text });
    await writeAuditEntries(client, actor, [
      { action: 'shipment.note', ...record, before: stored, after: { text } },
    ]);
  });
}
