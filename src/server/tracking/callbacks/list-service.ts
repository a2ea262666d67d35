import type { z } from 'zod';
import { normaliseTrackingNumber } from '../../core/text/text';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { listRecords, readRecord } from '../../inbound/view-service';
import { SUB_STATUS_ORDER } from '../../orders/tracking/event-order';
import * as sql from './callbacks.queries';
import { OUTCOME_CONDITIONS, outcomeOf } from './outcomes';
import type { callbackListInput, callbackListOutput, callbackOutput } from './schema';
import { readSkippedParts } from './skipped-parts';

type CallbackView = z.output<typeof callbackOutput>;

/** Returns a page of callbacks, newest first. The filter's days are in `timeZone`. */
export async function listCallbacks(
  db: Database,
  { outcome, tracking_number: trackingNumber, ...query }: z.output<typeof callbackListInput>,
  timeZone: string,
): Promise<z.output<typeof callbackListOutput>> {
  const filter = {
    ...query,
    kind: 'tracks' as const,
    ...(outcome && OUTCOME_CONDITIONS[outcome]),
    ...(trackingNumber !== undefined && { trackingNumber: normaliseTrackingNumber(trackingNumber) }),
  };
  const { records, next } = await listRecords(db, filter, timeZone);
  return { records: records.map((record) => ({ ...record, outcome: outcomeOf(record) })), next };
}

/**
 * Returns one callback: its body, the result of processing it, and the events that it was the first to report.
 *
 * @throws ServiceError `not_found`
 */
export async function readCallback(db: Database, id: string): Promise<CallbackView> {
  const record = await readRecord(db, id, 'tracks');
  const rows = await sql.listEventsOfCallback.run(db.pool, { recordId: id, progress: SUB_STATUS_ORDER });
  return {
    ...record,
    outcome: outcomeOf(record),
    ...readSkippedParts(record.result),
    events: rows.map(({ total: _, ...event }) => withIsoInstants(event)),
    event_count: rows[0]?.total ?? 0,
  };
}
