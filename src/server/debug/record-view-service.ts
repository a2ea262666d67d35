import type { z } from 'zod';
import { notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { RECORD_ID } from '../core/id-text';
import { decodeTimeCursor, encodeTimeCursor } from '../core/lists/cursor';
import { withIsoInstants } from '../core/time';
import type { Database } from '../db/client';
import type { CALLBACK_OUTCOMES } from './outcomes';
import type { recordListOutput, recordOutput } from './record-schema';
import * as sql from './records.queries';

/** Which records to list. */
export interface RecordFilter {
  kind: 'tracks' | 'marketplace';
  from?: string;
  to?: string;
  outcome?: (typeof CALLBACK_OUTCOMES)[number];
  /** As stored: without spaces, in upper case. */
  trackingNumber?: string;
}

type ListedRecord = z.output<typeof recordListOutput>['records'][number];
type RecordView = z.output<typeof recordOutput>;

/** Converts instants to ISO strings, and narrows the columns whose types the query cannot infer. */
const toRecordFields = <Row extends { outcome: string | null; error: unknown }>(row: Row) => ({
  ...withIsoInstants(row),
  outcome: row.outcome as ListedRecord['outcome'],
  error: row.error as ListedRecord['error'],
});

/**
 * Returns a page of stored records, newest first. The cursor is the position of the last record.
 *
 * @param timeZone the time zone of the filter's days
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listRecords(
  db: Database,
  query: RecordFilter & { cursor?: string; limit: number },
  timeZone: string,
): Promise<{ records: ListedRecord[]; next: string | null }> {
  const cursor = query.cursor === undefined ? null : decodeTimeCursor(query.cursor, RECORD_ID);
  const rows = await sql.listRecords.run(db.pool, {
    kind: query.kind,
    from: query.from ?? null,
    to: query.to ?? null,
    timeZone,
    outcome: query.outcome ?? null,
    trackingNumber: query.trackingNumber ?? null,
    beforeAt: cursor?.at ?? null,
    beforeId: cursor?.id ?? null,
    limit: query.limit + 1,
  });
  const records = rows.slice(0, query.limit).map(toRecordFields);
  const lastRecord = records.at(-1);
  const next =
    rows.length > query.limit && lastRecord
      ? encodeTimeCursor({ at: lastRecord.received_at, id: lastRecord.id })
      : null;
  return { records, next };
}

/** Returns a body as a page can show it: unchanged if it is JSON in UTF-8, otherwise in base64. */
function bodyView(body: Uint8Array): Pick<RecordView, 'body_encoding' | 'body'> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return { body_encoding: 'text', body: text };
  } catch {
    return { body_encoding: 'base64', body: Buffer.from(body).toString('base64') };
  }
}

/**
 * Returns one stored record with its body.
 *
 * @param kind the required kind, or null for any
 * @throws ServiceError `not_found`
 */
export async function readRecord(db: Database, id: string, kind: RecordFilter['kind'] | null) {
  const [record] = await sql.readRecord.run(db.pool, { id, kind });
  if (!record) throw notFound(createReason('answer.noRecord', { id }));
  return { ...toRecordFields(record), ...bodyView(record.body) };
}
