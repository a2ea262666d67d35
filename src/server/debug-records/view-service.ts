import type { z } from 'zod';
import type { Database } from '../db/client';
import type { RecordKind } from '../inbound/kind';
import { listRecords, readRecord } from '../inbound/view-service';
import { outcomeOf } from '../tracking/callbacks/outcomes';
import type { recordListInput, recordListOutput, recordOutput } from './schema';

const withOutcome = <Row extends { kind: RecordKind } & Parameters<typeof outcomeOf>[0]>(record: Row) => ({
  ...record,
  outcome: record.kind === 'tracks' ? outcomeOf(record) : null,
});

/**
 * Returns a page of records of one kind, newest first. The filter's days are in `timeZone`.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listRecordViews(
  db: Database,
  query: z.output<typeof recordListInput>,
  timeZone: string,
): Promise<z.output<typeof recordListOutput>> {
  const { records, next } = await listRecords(db, query, timeZone);
  return { records: records.map(withOutcome), next };
}

/**
 * Returns one record of any kind with its body.
 *
 * @throws ServiceError `not_found`
 */
export async function readRecordView(db: Database, id: string): Promise<z.output<typeof recordOutput>> {
  return withOutcome(await readRecord(db, id, null));
}
