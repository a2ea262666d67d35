import type { z } from 'zod';
import { notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { RECORD_ID } from '../core/id-text';
import { decodeTimeCursor, encodeTimeCursor } from '../core/lists/cursor';
import { withIsoInstants } from '../core/time';
import type { Database } from '../db/client';
import type { RecordKind } from './kind';
import * as sql from './records.queries';
import type { listedRecord, storedRecord } from './schema';

/** Which records to list. */
interface RecordFilter {
  kind: RecordKind;
  from?: string;
  to?: string;
  /** Whether the processing has finished. */
  isProcessed?: boolean;
  /** Whether a tracking number was read from the body. */
  hasNumbers?: boolean;
  /** As stored: without spaces, in upper case. */
  trackingNumber?: string;
}

type RecordView = z.output<typeof storedRecord>;
/** Includes `processed_at`, which the outcome of a callback depends on. The lists' outputs leave it out. */
type ListedRecord = z.output<typeof listedRecord> & Pick<RecordView, 'processed_at'>;

/** Converts instants to ISO strings, and narrows the column whose type the query cannot infer. */
const toRecordFields = <Row extends { error: unknown }>(row: Row) => ({
  ...withIsoInstants(row),
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
    isProcessed: query.isProcessed ?? null,
    hasNumbers: query.hasNumbers ?? null,
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
export async function readRecord(db: Database, id: string, kind: RecordKind | null) {
  const [record] = await sql.readRecord.run(db.pool, { id, kind });
  if (!record) throw notFound(createReason('answer.noRecord', { id }));
  return { ...toRecordFields(record), ...bodyView(record.body) };
}
