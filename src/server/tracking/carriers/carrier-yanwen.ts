import { z } from 'zod';
import type { TrackingStatus } from '../../core/statuses';
import { normaliseTrackingNumber } from '../../core/text/text';
import { readEventTime } from '../event-time';
import { MAX_EVENTS } from '../observation';
import {
  type CarrierAnswer,
  type CarrierClient,
  CarrierError,
  requireReadableAnswers,
} from './carrier-client';
import { callCarrier, type Fetch, splitIntoBatches } from './carrier-http';
import {
  looseArray,
  looseText,
  type ReportedEvent,
  type ReportedStatus,
  toParsedReport,
} from './provider-report';

const SOURCE = 'yanwen';
/** Yanwen's limit on numbers per call (docs/tracking.md). */
const MAX_NUMBERS_PER_CALL = 30;
/** The row status for a number that Yanwen does not know. */
const UNKNOWN_NUMBER_STATUS = 'NOTFOUND';

type Meaning = [TrackingStatus, string | null];

/** The meanings of the codes in the vendor's document. */
const MEANING_BY_CODE = new Map<string, Meaning>([
  ['LH20', ['in_transit', 'InTransit_Departure']],
  ['LM40', ['delivered', 'Delivered_Other']],
  ['LM54', ['exception', 'Exception_Returned']],
]);

/**
 * The meanings of the families whose codes all mean the same status, by prefix. The last mile (LM) is not among them because it
 * mixes progress, failure and return, so an unknown LM code does not change the shipment's status.
 */
const MEANING_BY_FAMILY = new Map<string, Meaning>([
  ['OR', ['info_received', null]],
  ['PU', ['in_transit', 'InTransit_PickedUp']],
  ['SC', ['in_transit', 'InTransit_Other']],
  ['LH', ['in_transit', 'InTransit_Other']],
  ['IC', ['in_transit', 'InTransit_CustomsProcessing']],
]);

function readCode(code: string | null): ReportedStatus {
  const foldedCode = code?.toUpperCase() ?? '';
  const family = /^([A-Z]{2})\d{2}$/.exec(foldedCode)?.[1] ?? '';
  const [status, subStatus] = MEANING_BY_CODE.get(foldedCode) ??
    MEANING_BY_FAMILY.get(family) ?? [null, null];
  return { status, subStatus, providerStatus: status ? null : code };
}

const checkpointSchema = z.object({
  time_stamp: z.unknown().optional(),
  time_zone: z.unknown().optional(),
  tracking_status: looseText,
  message: looseText,
  location: looseText,
});

/** Replaces an element that is not an object. */
const EMPTY_CHECKPOINT = checkpointSchema.parse({});

const rowSchema = z.object({
  tracking_number: looseText,
  waybill_number: looseText,
  exchange_number: looseText,
  tracking_status: looseText,
  checkpoints: looseArray,
});

const envelopeSchema = z.object({
  code: z.int(),
  message: z.string().nullish(),
  // Each row is parsed on its own, so that one in an unknown format does not affect the others.
  result: z.array(z.unknown()).nullish(),
});

type Row = z.output<typeof rowSchema>;

/** Returns the rows that name a number, and whether there are others. */
function readRows(json: unknown): { rows: Row[]; hasUnreadableRows: boolean } {
  const parseResult = envelopeSchema.safeParse(json);
  if (!parseResult.success) {
    throw new CarrierError('broken', 'Yanwen sent a response in an unknown format', false, {
      cause: parseResult.error,
    });
  }
  const { code, message, result } = parseResult.data;
  // According to the vendor's document, 0 is success and 1 is failure, with the reason in the message.
  if (code !== 0) {
    throw new CarrierError('refused', `Yanwen answered with code ${code}`, false, {
      cause: { code, message },
    });
  }
  if (!result) throw new CarrierError('broken', 'Yanwen answered without a result', false);
  const rows = result.flatMap((element) => {
    const row = rowSchema.safeParse(element).data;
    return row && (row.tracking_number ?? row.waybill_number ?? row.exchange_number) !== null ? [row] : [];
  });
  return { rows, hasUnreadableRows: rows.length < result.length };
}

/** Returns the row about the queried number, otherwise a row that has it as its waybill or last-mile number. */
function findRow(number: string, rows: readonly Row[]): Row | undefined {
  const matches = (text: string | null) => text !== null && normaliseTrackingNumber(text) === number;
  return (
    rows.find((row) => matches(row.tracking_number)) ??
    rows.find((row) => matches(row.waybill_number) || matches(row.exchange_number))
  );
}

function readCheckpoint(element: unknown, index: number): ReportedEvent {
  const checkpoint = checkpointSchema.safeParse(element).data ?? EMPTY_CHECKPOINT;
  return {
    path: `checkpoints.${index}`,
    time: readEventTime(checkpoint.time_stamp, checkpoint.time_zone),
    ...readCode(checkpoint.tracking_status),
    stage: null,
    description: checkpoint.message,
    location: checkpoint.location,
  };
}

function answerOf(number: string, row: Row | undefined, receivedAt: number): CarrierAnswer {
  if (!row || row.tracking_status?.toUpperCase() === UNKNOWN_NUMBER_STATUS) {
    return { trackingNumber: number, carrier: null, observations: [] };
  }
  const { checkpoints } = row;
  const { observations, skipped } = toParsedReport({
    trackingNumber: number,
    source: SOURCE,
    events: checkpoints.slice(0, MAX_EVENTS).map(readCheckpoint),
    unreadEvents:
      checkpoints.length > MAX_EVENTS
        ? { path: `checkpoints.${MAX_EVENTS}`, count: checkpoints.length - MAX_EVENTS }
        : null,
    latestStatus: row.tracking_status === null ? null : readCode(row.tracking_status),
    receivedAt,
  });
  return {
    trackingNumber: number,
    carrier: 'Yanwen',
    observations,
    ...(skipped.count > 0 ? { skipped } : {}),
  };
}

/**
 * Creates a client for Yanwen's tracking API (docs/tracking.md). Observations are sorted by UTC time because the vendor's own
 * order mixes time zones.
 *
 * @param options.baseUrl such as `http://api.track.yw56.com.cn`
 * @param options.now milliseconds since the Unix epoch, for events without a time
 */
export function createYanwenClient(options: {
  account: string;
  baseUrl: string;
  fetch?: Fetch;
  now?: () => number;
}): CarrierClient {
  const { account, fetch = globalThis.fetch, now = Date.now } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  async function queryBatch(numbers: readonly string[], signal: AbortSignal) {
    const joinedNumbers = numbers.map((number) => encodeURIComponent(number.toWellFormed())).join(',');
    const url = `${baseUrl}/api/tracking?nums=${joinedNumbers}`;
    return readRows(
      await callCarrier(fetch, url, { method: 'GET', headers: { authorization: account }, signal }),
    );
  }

  return {
    name: SOURCE,
    async query(trackingNumbers, signal) {
      const numbers = [...new Set(trackingNumbers.map(normaliseTrackingNumber))];
      // Yanwen's parameter separates numbers with commas. A number with a comma is invalid and would count as two.
      const queryableNumbers = numbers.filter((number) => number !== '' && !number.includes(','));
      const rows: Row[] = [];
      const unreadableNumbers = new Set<string>();
      for (const batch of splitIntoBatches(queryableNumbers, MAX_NUMBERS_PER_CALL)) {
        const response = await queryBatch(batch, signal);
        for (const row of response.rows) rows.push(row);
        if (!response.hasUnreadableRows) continue;
        for (const number of batch) if (!findRow(number, response.rows)) unreadableNumbers.add(number);
      }
      const receivedAt = now();
      return requireReadableAnswers(
        numbers.map((number) => ({
          ...answerOf(number, findRow(number, rows), receivedAt),
          ...(unreadableNumbers.has(number) ? { failure: 'broken' as const } : {}),
        })),
      );
    },
  };
}
