import type pg from 'pg';
import type { Database } from '../db/client';
import { takeSharedLock } from '../db/locks/advisory-locks';
import { inTransactionWithLimitedWait } from '../db/locks/lock-waits';
import { recordUnmatchedNumbers } from '../orders/tracking/number-shops-service';
import { carrierName } from './carriers/carrier-name';
import * as sql from './merge.queries';
import type { Observation } from './observation';
import {
  type LockedShipment,
  lockShipments,
  lockStoredNumbers,
  recomputeStatuses,
  type StatusChanges,
} from './shipment-status-service';

/** The observations of one tracking number in one callback or response. */
export interface ReportedObservations {
  trackingNumber: string;
  observations: readonly Observation[];
  /** The id of the callback in inbound_records; undefined if the observations come from a carrier query. */
  recordId?: string;
  /** The carrier, as its answer or the callback names it. Ignored without observations. */
  carrier?: string | null;
  /** Whether the stored carrier is kept if there is one, because it may have been reported after this one. */
  keepsStoredCarrier?: boolean;
}

/** Groups the observations of a callback by the tracking numbers in it, in linear time. */
export function groupByNumber(
  {
    trackingNumbers,
    observations,
    carrier,
  }: { trackingNumbers: readonly string[]; observations: readonly Observation[]; carrier: string | null },
  recordId: string,
): ReportedObservations[] {
  const observationsByNumber = new Map<string, Observation[]>(trackingNumbers.map((number) => [number, []]));
  for (const observation of observations)
    observationsByNumber.get(observation.trackingNumber)?.push(observation);
  return [...observationsByNumber].map(([trackingNumber, numberObservations]) => ({
    trackingNumber,
    observations: numberObservations,
    recordId,
    carrier,
  }));
}

/** The result of a merge. */
export interface MergeResult extends StatusChanges {
  newEventCounts: { trackingNumber: string; recordId: string | null; count: number }[];
}

function toObservationsJson(reports: readonly ReportedObservations[]): string {
  return JSON.stringify(
    reports.flatMap(({ observations, recordId = null }) =>
      observations.map((observation) => ({
        tracking_number: observation.trackingNumber,
        kind: observation.kind,
        identity: observation.identity,
        occurred_at: new Date(observation.occurredAt).toISOString(),
        status: observation.status,
        sub_status: observation.subStatus,
        stage: observation.stage,
        provider_status: observation.providerStatus,
        description: observation.description,
        location: observation.location,
        source: observation.source,
        record_id: recordId,
      })),
    ),
  );
}

/** Counts new events by tracking number and record. */
function countByNumber(events: readonly sql.AddObservationsRow[]): MergeResult['newEventCounts'] {
  const countByKey = new Map<string, MergeResult['newEventCounts'][number]>();
  for (const { tracking_number: trackingNumber, record_id: recordId } of events) {
    const key = JSON.stringify([trackingNumber, recordId]);
    const entry = countByKey.get(key) ?? { trackingNumber, recordId, count: 0 };
    entry.count += 1;
    countByKey.set(key, entry);
  }
  return [...countByKey.values()];
}

/**
 * Returns the reported numbers, except new ones without any observation: storing them would only cause queries to the
 * carrier.
 */
async function findNumbersToMerge(
  client: pg.PoolClient,
  reports: readonly ReportedObservations[],
): Promise<string[]> {
  const observedNumbers = new Set(
    reports.flatMap(({ trackingNumber, observations }) => (observations.length > 0 ? [trackingNumber] : [])),
  );
  const numbers = new Set(reports.map((report) => report.trackingNumber));
  const numbersWithoutObservations = [...numbers].filter((number) => !observedNumbers.has(number));
  if (numbersWithoutObservations.length === 0) return [...observedNumbers];
  const storedRows = await sql.findStoredNumbers.runPrepared(client, {
    trackingNumbers: numbersWithoutObservations,
  });
  return [...observedNumbers, ...storedRows.map((row) => row.tracking_number)];
}

/** The result of merging nothing. */
export const EMPTY_MERGE_RESULT: MergeResult = {
  newEventCounts: [],
  changes: [],
  orders: [],
  changedOrderIds: new Set(),
};

/** Like {@link mergeObservations}, within the caller's transaction. */
export async function mergeObservationsInTransaction(
  client: pg.PoolClient,
  reports: readonly ReportedObservations[],
): Promise<MergeResult> {
  const numbers = await findNumbersToMerge(client, reports);
  if (numbers.length === 0) return EMPTY_MERGE_RESULT;
  return mergeIntoLockedShipments(client, reports, await lockShipments(client, numbers));
}

/** Merges observations of locked tracking numbers. */
async function mergeIntoLockedShipments(
  client: pg.PoolClient,
  reports: readonly ReportedObservations[],
  lockedShipments: readonly LockedShipment[],
): Promise<MergeResult> {
  const addedEvents = await sql.addObservations.runPrepared(client, {
    observations: toObservationsJson(reports),
  });
  const numbersWithCarrier = new Set(
    lockedShipments.flatMap((row) => (row.carrier_code === null ? [] : [row.tracking_number])),
  );
  const carrierByNumber = new Map(
    reports.flatMap(({ trackingNumber, observations, carrier = null, keepsStoredCarrier = false }) => {
      if (keepsStoredCarrier && numbersWithCarrier.has(trackingNumber)) return [];
      const name = observations.length > 0 ? carrierName(carrier) : null;
      return name === null ? [] : [[trackingNumber, name] as const];
    }),
  );
  const { keptIdentities, ...statusResult } = await recomputeStatuses(client, lockedShipments, {
    carrierByNumber,
  });
  // An event that is too old to be kept is no news, and would be reported as new each time it arrives.
  const newEvents = addedEvents.filter(({ identity }) => keptIdentities.has(identity));
  const matchedNumbers = new Set(statusResult.orders.map(({ trackingNumber }) => trackingNumber));
  const numbersOf = (list: readonly ReportedObservations[]) => [
    ...new Set(list.map((report) => report.trackingNumber)),
  ];
  await recordUnmatchedNumbers(client, {
    trackingNumbers: numbersOf(reports).filter((number) => !matchedNumbers.has(number)),
    callbackNumbers: numbersOf(reports.filter(({ recordId }) => recordId !== undefined)),
    numbersWithNewEvents: [...new Set(newEvents.map((row) => row.tracking_number))],
  });
  return {
    newEventCounts: countByNumber(newEvents),
    ...statusResult,
  };
}

/**
 * Merges observations of any number of shipments into the stored ones, and updates the shipments' statuses and orders, in one
 * transaction. Idempotent.
 *
 * @throws ServiceError `service_unavailable` after waiting too long for tracking numbers that an import has locked
 */
export function mergeObservations(
  db: Database,
  reports: readonly ReportedObservations[],
): Promise<MergeResult> {
  return inTransactionWithLimitedWait(db.pool, (client) => mergeObservationsInTransaction(client, reports));
}

/**
 * Like {@link mergeObservations}, but leaves out tracking numbers that are not stored. For answers to queries about stored numbers:
 * a number may be deleted while the carrier is queried, for example with its shop, and must not come back.
 *
 * @throws ServiceError as {@link mergeObservations}
 */
export function mergeIntoStoredShipments(
  db: Database,
  reports: readonly ReportedObservations[],
): Promise<MergeResult> {
  return inTransactionWithLimitedWait(db.pool, async (client) => {
    await takeSharedLock(client, 'statusMappings');
    const lockedShipments = await lockStoredNumbers(
      client,
      reports.map((report) => report.trackingNumber),
    );
    if (lockedShipments.length === 0) return EMPTY_MERGE_RESULT;
    const storedNumbers = new Set(lockedShipments.map((shipment) => shipment.tracking_number));
    return mergeIntoLockedShipments(
      client,
      reports.filter((report) => storedNumbers.has(report.trackingNumber)),
      lockedShipments,
    );
  });
}

/** Returns how many events a merge added. */
export function countNewEvents(result: MergeResult): number {
  return result.newEventCounts.reduce((sum, { count }) => sum + count, 0);
}
