import type { z } from 'zod';
import { normaliseTrackingNumber } from '../../core/text/text';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { listRecords, type RecordFilter, readRecord } from '../../debug/record-view-service';
import { SUB_STATUS_ORDER } from '../../orders/tracking/event-order';
import * as sql from './callbacks.queries';
import type { callbackOutput } from './schema';
import { readSkippedParts } from './skipped-parts';

type CallbackView = z.output<typeof callbackOutput>;

/** Returns a page of callbacks, newest first. The filter's days are in `timeZone`. */
export function listCallbacks(
  db: Database,
  query: Omit<RecordFilter, 'kind'> & { cursor?: string; limit: number },
  timeZone: string,
) {
  const { trackingNumber } = query;
  const numberFilter =
    trackingNumber === undefined ? {} : { trackingNumber: normaliseTrackingNumber(trackingNumber) };
  return listRecords(db, { ...query, kind: 'tracks', ...numberFilter }, timeZone);
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
    ...readSkippedParts(record.result),
    events: rows.map(({ total: _, ...event }) => withIsoInstants(event)),
    event_count: rows[0]?.total ?? 0,
  };
}
