import type { z } from 'zod';
import { type Actor, writeAuditEntry } from '../../audit/service';
import { isServiceError } from '../../core/errors/errors';
import { createReason, type Reason } from '../../core/errors/reason';
import { normaliseTrackingNumber } from '../../core/text/text';
import type { Database } from '../../db/client';
import { answerError, type CarrierGate } from '../carriers/carrier-gate';
import type { MergeResult } from '../merge-service';
import { type SkippedParts, summariseReasons } from '../observation';
import * as sql from './carrier-queries.queries';
import { QUERYABLE_NUMBER, queryAndMergeAnswers } from './carrier-query-service';
import type { askCarrierOutput } from './schema';

type QueryOutput = z.output<typeof askCarrierOutput>;

interface QueryResult {
  /** The numbers about which the carrier's answer has something readable. */
  knownNumbers: ReadonlySet<string>;
  /** Why nothing is known about a number that the carrier did not answer about, by number. */
  failureByNumber: ReadonlyMap<string, Reason>;
  /** Parts of the response that produced no event, by number. */
  skippedByNumber: ReadonlyMap<string, SkippedParts>;
  mergeResult: MergeResult | null;
  /** Why the carrier query failed. */
  failureReason: Reason | null;
}

/**
 * Queries the carrier and merges its answers. If the query fails, returns the reason as `failureReason`.
 *
 * @throws ServiceError `upstream_not_configured`
 */
async function tryToQuery(
  db: Database,
  carrier: CarrierGate,
  numbers: readonly string[],
): Promise<QueryResult> {
  try {
    const { answers, mergeResult } = await queryAndMergeAnswers(db, carrier, numbers);
    const knownNumbers = answers.flatMap(({ trackingNumber, observations }) =>
      observations.length > 0 ? [trackingNumber] : [],
    );
    const skippedByNumber = new Map(
      answers.flatMap(({ trackingNumber, skipped }) => (skipped ? [[trackingNumber, skipped]] : [])),
    );
    const failureByNumber = new Map(
      answers.flatMap(({ trackingNumber, failure }) =>
        failure ? [[trackingNumber, answerError(failure).reason]] : [],
      ),
    );
    return {
      knownNumbers: new Set(knownNumbers),
      failureByNumber,
      skippedByNumber,
      mergeResult,
      failureReason: null,
    };
  } catch (error) {
    if (!isServiceError(error) || error.members.source !== 'carrier') throw error;
    if (error.code === 'upstream_not_configured') throw error;
    return {
      knownNumbers: new Set(),
      failureByNumber: new Map(),
      skippedByNumber: new Map(),
      mergeResult: null,
      failureReason: error.reason,
    };
  }
}

/**
 * Queries the carrier for shipments and merges its answers. Each number has its own outcome.
 *
 * @throws ServiceError `upstream_not_configured`; `service_unavailable` after waiting too long for numbers that an import has locked
 */
export async function queryShipments(
  db: Database,
  carrier: CarrierGate,
  actor: Actor,
  trackingNumbers: readonly string[],
): Promise<QueryOutput> {
  const numbers = [...new Set(trackingNumbers.map(normaliseTrackingNumber))];
  const { knownNumbers, failureByNumber, skippedByNumber, mergeResult, failureReason } = await tryToQuery(
    db,
    carrier,
    numbers.filter((number) => QUERYABLE_NUMBER.test(number)),
  );
  await writeAuditEntry(db.prisma, actor, {
    action: 'shipment.ask',
    recordType: 'shipment',
    recordId: numbers.length === 1 ? numbers[0]! : `${numbers.length} shipments`,
    after: {
      tracking_numbers: numbers,
      answered: knownNumbers.size,
      changed: mergeResult?.changes.length ?? 0,
    },
  });
  const statusRows = await sql.readStatuses.run(db.pool, { trackingNumbers: numbers });
  const statusRowByNumber = new Map(statusRows.map((row) => [row.tracking_number, row]));

  const outcomeOf = (number: string): Pick<QueryOutput['results'][number], 'outcome' | 'reason'> => {
    if (!QUERYABLE_NUMBER.test(number))
      return {
        outcome: 'failed',
        reason: createReason('callback.notAskable'),
      };
    const failure = failureReason ?? failureByNumber.get(number);
    if (failure) return { outcome: 'failed', reason: failure };
    const skipped = skippedByNumber.get(number);
    const reason = summariseReasons(skipped?.parts[0]?.reason, skipped?.count ?? 0);
    return { outcome: knownNumbers.has(number) ? 'answered' : 'unknown', reason };
  };
  return {
    results: numbers.map((number) => ({
      tracking_number: number,
      ...outcomeOf(number),
      status: statusRowByNumber.get(number)?.status ?? null,
      sub_status: statusRowByNumber.get(number)?.sub_status ?? null,
      new_events:
        mergeResult?.newEventCounts.find(({ trackingNumber }) => trackingNumber === number)?.count ?? 0,
      changed: mergeResult?.changes.some(({ trackingNumber }) => trackingNumber === number) ?? false,
    })),
    updated_orders: mergeResult?.changedOrderIds.size ?? 0,
  };
}
