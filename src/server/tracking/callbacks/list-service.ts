import type { z } from 'zod';
import { instantText } from '../../core/cursor';
import { normaliseTrackingNumber } from '../../core/text';
import type { Database } from '../../db/client';
import { listRecords, type RecordFilter, readRecord } from '../../debug/record-view-service';
import { newestEventFirst } from '../../orders/detail/event-order';
import { leftOutOf } from './left-out';
import type { callbackOutput } from './schema';

type CallbackView = z.output<typeof callbackOutput>;

/** Returns a page of callbacks, newest first. */
export function listCallbacks(
  db: Database,
  query: Omit<RecordFilter, 'kind'> & { cursor?: string; limit: number },
) {
  const { trackingNumber } = query;
  return listRecords(db, {
    ...query,
    kind: 'tracks',
    ...(trackingNumber === undefined ? {} : { trackingNumber: normaliseTrackingNumber(trackingNumber) }),
  });
}

const EVENTS = `
SELECT id::text, tracking_number, kind, ${instantText('occurred_at')} AS occurred_at, status, sub_status,
       provider_status, description, location, count(*) OVER ()::int AS total
  FROM tracking_events WHERE inbound_record_id = $1
 ORDER BY ${newestEventFirst('tracking_events')} LIMIT 500`;

/**
 * Returns one callback: its body, how it was understood, and the events that it was the first to report.
 *
 * @throws ServiceError `not_found`
 */
export async function readCallback(db: Database, id: string): Promise<CallbackView> {
  const record = await readRecord(db, id, 'tracks');
  const { rows } = await db.pool.query<CallbackView['events'][number] & { total: number }>(EVENTS, [id]);
  return {
    ...record,
    ...leftOutOf(record.result),
    events: rows.map(({ total: _, ...event }) => event),
    event_count: rows[0]?.total ?? 0,
  };
}
