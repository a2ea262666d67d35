import type { Database } from '../../db/client';
import { inTransactionWithLimitedWait } from '../../db/locks/lock-waits';
import type { CarrierAnswer } from '../carriers/carrier-client';
import type { CarrierGate } from '../carriers/carrier-gate';
import {
  EMPTY_MERGE_RESULT,
  type MergeResult,
  mergeIntoStoredShipments,
  mergeObservations,
} from '../merge-service';
import { lockStoredNumbers } from '../shipment-status-service';
import * as sql from './carrier-queries.queries';

/**
 * Matches the tracking numbers that carriers accept. Others are not queried: their errors would count as the carrier's failures.
 */
export const QUERYABLE_NUMBER = /^[A-Z0-9-]{4,50}$/;

/**
 * Queries the carrier for all numbers together, and merges its answers like a callback's events. Unless `addsNewNumbers` is set,
 * skips answers about numbers that are not stored, or no longer stored.
 *
 * @param numbers as stored, each in a form that the carrier accepts ({@link QUERYABLE_NUMBER})
 * @param options.addsNewNumbers whether to store the answers about numbers that are not stored
 * @throws ServiceError with `source: "carrier"` if the carrier query fails, in which case nothing changes; `service_unavailable`
 * after waiting too long for numbers that an import has locked
 */
export async function queryAndMergeAnswers(
  db: Database,
  carrier: CarrierGate,
  numbers: readonly string[],
  { addsNewNumbers = false } = {},
): Promise<{ answers: CarrierAnswer[]; mergeResult: MergeResult }> {
  const answers = numbers.length > 0 ? await carrier.query(numbers) : [];
  const reports = answers.filter(({ observations }) => observations.length > 0);
  const mergeReports = addsNewNumbers ? mergeObservations : mergeIntoStoredShipments;
  const mergeResult = reports.length > 0 ? await mergeReports(db, reports) : EMPTY_MERGE_RESULT;
  // A number about which nothing is known counts as not queried.
  const answeredNumbers = answers
    .filter((answer) => !answer.failure || answer.isNewlyRegistered)
    .map((answer) => answer.trackingNumber);
  if (answeredNumbers.length > 0) {
    const registeredNumbers = answers
      .filter((answer) => answer.isNewlyRegistered)
      .map((answer) => answer.trackingNumber);
    await inTransactionWithLimitedWait(db.pool, async (client) => {
      await lockStoredNumbers(client, answeredNumbers);
      await sql.markQueried.run(client, { trackingNumbers: answeredNumbers, registeredNumbers });
    });
  }
  return { answers, mergeResult };
}
