import type pg from 'pg';
import * as sql from './merge.queries';
import { MAX_KEPT_OBSERVATIONS } from './observation';
import { computeStatus, RETURN_SUB_STATUSES, type StatusObservation } from './status';

/** Returns the observations that are kept of locked tracking numbers, and deletes the others. */
export async function keepNewestObservations(client: pg.PoolClient, trackingNumbers: readonly string[]) {
  const parameters = { trackingNumbers, returnSubStatuses: RETURN_SUB_STATUSES };
  const limit = MAX_KEPT_OBSERVATIONS;
  const rows = await sql.readObservations.runPrepared(client, { ...parameters, limit });
  const identities = rows.filter(({ position }) => position > limit).map(({ identity }) => identity);
  if (identities.length === 0) return rows;
  await sql.deleteOldObservations.run(client, { ...parameters, identities });
  return rows.filter(({ position }) => position <= limit);
}

/** Computes the status of each number from its stored observations. */
export function computeStatuses(
  trackingNumbers: readonly string[],
  rows: readonly sql.ReadObservationsRow[],
) {
  const observationsByNumber = new Map<string, StatusObservation[]>(
    trackingNumbers.map((number) => [number, []]),
  );
  for (const row of rows) {
    observationsByNumber.get(row.tracking_number)!.push({
      kind: row.kind,
      identity: row.identity,
      occurredAt: row.occurred_at,
      status: row.status,
      subStatus: row.sub_status,
    });
  }
  return [...observationsByNumber].map(([trackingNumber, numberObservations]) => ({
    trackingNumber,
    ...computeStatus(numberObservations),
  }));
}
