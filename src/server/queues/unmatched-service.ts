import type { z } from 'zod';
import { type Actor, writeAudits } from '../audit/audit';
import { notFound } from '../core/errors/errors';
import { because } from '../core/errors/reason';
import { inTransaction } from '../core/postgres';
import { normaliseTrackingNumber } from '../core/text/text';
import { withIsoInstants } from '../core/time';
import type { Database } from '../db/client';
import { nearNumbers } from './near-numbers';
import type { noteUnmatchedInput, queueListInput, queueListOutput, unmatchedOutput } from './schema';
import * as sql from './unmatched.queries';

type Query = z.output<typeof queueListInput>;
type Entry = z.output<typeof queueListOutput>['entries'][number];

/** Returns entries of the queue of unmatched callbacks from a position on, the latest first. */
export async function listUnmatchedEntries(
  db: Database,
  { state, assigned }: Query,
  userId: number,
  position: { cursorPosition: string | null; cursorId: string | null; limit: number },
): Promise<(Entry & { position: string })[]> {
  const rows = await sql.listUnmatched.run(db.pool, {
    state,
    assignedTo: assigned === 'me' ? userId : null,
    unassigned: assigned === 'nobody',
    ...position,
  });
  return rows.map(({ assignee_id: id, assignee, carrier, ...row }) => ({
    ...row,
    number: row.id,
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
/** How long before its carrier's first event an order was sold, at most. */
const SOLD_BEFORE_DAYS = 21;

const noNumber = (number: string) => notFound(because('answer.notUnmatched', { number }));

/**
 * Returns the note on a number that no order has, and the orders that it may belong to: those with a number that differs in one
 * character, then paid ones without a number that were sold shortly before its first event.
 *
 * @throws ServiceError `not_found` if there is no such number in the queue, also because an order has it by now
 */
export async function readUnmatched(db: Database, given: string): Promise<z.output<typeof unmatchedOutput>> {
  const trackingNumber = normaliseTrackingNumber(given);
  const [found] = await sql.readUnmatched.run(db.pool, { trackingNumber });
  if (!found) throw noNumber(trackingNumber);
  const { first_at: before, note } = found;
  const [near, waiting] = await Promise.all([
    sql.findOrdersByNumbers.run(db.pool, {
      trackingNumbers: nearNumbers(trackingNumber),
      limit: MAX_CANDIDATES,
    }),
    sql.findOrdersWithoutNumber.run(db.pool, { before, days: SOLD_BEFORE_DAYS, limit: MAX_CANDIDATES }),
  ]);
  const reported = await sql.listReported.run(db.pool, {
    trackingNumbers: near.map((order) => order.tracking_number),
  });
  const real = new Set(reported.map((row) => row.tracking_number));
  return {
    candidates: [
      ...near.map((order) => ({ ...order, mistyped: !real.has(order.tracking_number) })),
      ...waiting.map((order) => ({ ...order, tracking_number: null, mistyped: false })),
    ].map(withIsoInstants),
    note,
  };
}

/**
 * Replaces the note on a number of the queue, or removes it.
 *
 * @throws ServiceError `not_found`
 */
export function setUnmatchedNote(
  db: Database,
  actor: Actor,
  { tracking_number: given, text }: z.output<typeof noteUnmatchedInput>,
): Promise<void> {
  const trackingNumber = normaliseTrackingNumber(given);
  return inTransaction(db.pool, async (client) => {
    const [noted] = await sql.setNote.run(client, { trackingNumber, text });
    if (!noted) throw noNumber(trackingNumber);
    await writeAudits(client, actor, [
      { action: 'shipment.note', recordType: 'shipment', recordId: trackingNumber, after: { text } },
    ]);
  });
}
