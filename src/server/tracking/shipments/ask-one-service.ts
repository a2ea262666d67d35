import type { z } from 'zod';
import { type Actor, writeAudit } from '../../audit/audit';
import { isServiceError } from '../../core/errors';
import { because, type Reason } from '../../core/reason';
import type { TrackingStatus } from '../../core/statuses';
import { normaliseTrackingNumber } from '../../core/text';
import type { Database } from '../../db/client';
import type { CarrierGate } from '../carriers/carrier-gate';
import type { MergeResult } from '../merge-service';
import { type LeftOut, summaryOf } from '../observation';
import { ASKABLE, askAndMerge as queryAndMerge } from './ask-service';
import type { askCarrierOutput } from './schema';

type Asked = z.output<typeof askCarrierOutput>;

const STATUSES =
  'SELECT tracking_number, status, sub_status FROM waybills WHERE tracking_number = ANY($1::text[])';

interface Question {
  known: ReadonlySet<string>;
  /** Parts of the response that produced no event, by number. */
  leftOut: ReadonlyMap<string, readonly LeftOut[]>;
  merged: MergeResult | null;
  /** Why the carrier query failed. */
  failure: Reason | null;
}

/** Queries the carrier. A failure is reported per number; only a missing carrier configuration fails the whole call. */
async function ask(db: Database, carrier: CarrierGate, numbers: readonly string[]): Promise<Question> {
  try {
    const { answers, merged } = await queryAndMerge(db, carrier, numbers);
    const known = answers.filter(({ observations }) => observations.length > 0);
    const leftOut = new Map(answers.map((answer) => [answer.trackingNumber, answer.leftOut ?? []]));
    return { known: new Set(known.map((answer) => answer.trackingNumber)), leftOut, merged, failure: null };
  } catch (error) {
    if (!isServiceError(error) || error.members.source !== 'carrier') throw error;
    if (error.code === 'upstream_not_configured') throw error;
    return { known: new Set(), leftOut: new Map(), merged: null, failure: error.reason };
  }
}

/**
 * Asks the carrier about shipments now and merges its answer. Each number has its own outcome.
 *
 * @throws ServiceError `upstream_not_configured`
 */
export async function askAboutParcels(
  db: Database,
  carrier: CarrierGate,
  actor: Actor,
  trackingNumbers: readonly string[],
): Promise<Asked> {
  const numbers = [...new Set(trackingNumbers.map(normaliseTrackingNumber))];
  const { known, leftOut, merged, failure } = await ask(
    db,
    carrier,
    numbers.filter((number) => ASKABLE.test(number)),
  );
  await writeAudit(db.prisma, actor, {
    action: 'parcel.ask',
    recordType: 'parcel',
    recordId: numbers.length === 1 ? numbers[0]! : `${numbers.length} parcels`,
    after: { tracking_numbers: numbers, answered: known.size, changed: merged?.changes.length ?? 0 },
  });
  const { rows } = await db.pool.query<{
    tracking_number: string;
    status: TrackingStatus;
    sub_status: string | null;
  }>(STATUSES, [numbers]);
  const stored = new Map(rows.map((row) => [row.tracking_number, row]));

  const outcomeOf = (number: string): Pick<Asked['results'][number], 'outcome' | 'reason'> => {
    if (!ASKABLE.test(number))
      return {
        outcome: 'failed',
        reason: because('callback.notAskable'),
      };
    if (failure !== null) return { outcome: 'failed', reason: failure };
    const reason = summaryOf((leftOut.get(number) ?? []).map((each) => each.reason));
    return { outcome: known.has(number) ? 'answered' : 'unknown', reason };
  };
  return {
    results: numbers.map((number) => ({
      tracking_number: number,
      ...outcomeOf(number),
      status: stored.get(number)?.status ?? null,
      sub_status: stored.get(number)?.sub_status ?? null,
      new_events: merged?.newEvents.find(({ trackingNumber }) => trackingNumber === number)?.count ?? 0,
      changed: merged?.changes.some(({ trackingNumber }) => trackingNumber === number) ?? false,
    })),
    updated_orders: merged?.changedOrderIds.size ?? 0,
  };
}
