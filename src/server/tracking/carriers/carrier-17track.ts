import { z } from 'zod';
import { normaliseTrackingNumber } from '../../core/text/text';
import type { Observation } from '../observation';
import {
  type CarrierAnswer,
  type CarrierClient,
  CarrierError,
  requireReadableAnswers,
} from './carrier-client';
import { callCarrier, type Fetch, splitIntoBatches } from './carrier-http';
import { carrierNameFrom17Track, parse17TrackInfo } from './provider-17track';

/** 17TRACK's limit on numbers per call (docs/tracking.md). */
const MAX_NUMBERS_PER_CALL = 40;

// 17TRACK's error codes. REFUSED_CODES and INTERNAL_CODE reject a whole request.
const REFUSED_CODES = new Set([-18010001, -18010002, -18010004, -18010005]);
const INTERNAL_CODE = -18010003;
const ALREADY_REGISTERED_CODE = -18019901;
const NOT_REGISTERED_CODE = -18019902;
const OVER_QUOTA_CODES = new Set([-18019907, -18019908]);

const errorSchema = z.object({ code: z.int(), message: z.string().nullish() });

/** A number as text or as a JSON number, unless its digits are lost. */
const numberSchema = z.union([z.string(), z.int()]).transform(String);

const acceptedRowSchema = z.object({
  number: numberSchema,
  track_info: z.record(z.string(), z.unknown()).nullish(),
});

const rejectedRowSchema = z.object({ number: numberSchema.nullish(), error: errorSchema });

const envelopeSchema = z.object({
  code: z.int(),
  data: z
    .object({
      // Each row is parsed on its own, so that one in an unknown format does not affect the others.
      accepted: z.array(z.unknown()).nullish(),
      rejected: z.array(z.unknown()).nullish(),
      errors: z.array(errorSchema).nullish(),
    })
    .nullish(),
});

interface Row {
  number: string;
  trackInfo: unknown;
}

interface ParsedResponse {
  accepted: Row[];
  rejected: { number: string; code: number }[];
  /** Returns whether no row is about this number, while some rows could not be read and may be. */
  mayHaveUnreadableRow(number: string): boolean;
}

function errorForCode(code: number, cause: unknown): CarrierError {
  const message = `17TRACK answered with code ${code}`;
  if (REFUSED_CODES.has(code)) return new CarrierError('refused', message, false, { cause });
  if (OVER_QUOTA_CODES.has(code)) return new CarrierError('limited', message, false, { cause });
  return new CarrierError('broken', message, code === INTERNAL_CODE, { cause });
}

/** Returns the rows that match the schema. */
function parseRows<T>(schema: z.ZodType<T>, rows: readonly unknown[]): T[] {
  return rows.flatMap((row) => {
    const parseResult = schema.safeParse(row);
    return parseResult.success ? [parseResult.data] : [];
  });
}

/**
 * Unwraps the response envelope. 17TRACK also reports errors with HTTP 200.
 *
 * @throws CarrierError for an error code, an unknown format or a response without data
 */
function parseResponse(json: unknown): ParsedResponse {
  const parseResult = envelopeSchema.safeParse(json);
  if (!parseResult.success) {
    throw new CarrierError('broken', '17TRACK sent a response in an unknown format', false, {
      cause: parseResult.error,
    });
  }
  const { code, data } = parseResult.data;
  const errorCode = code !== 0 ? code : data?.errors?.[0]?.code;
  if (errorCode) throw errorForCode(errorCode, { code, errors: data?.errors });
  if (!data) throw new CarrierError('broken', '17TRACK answered without data', false);
  const acceptedRows = data.accepted ?? [];
  const rejectedRows = data.rejected ?? [];
  const accepted = parseRows(acceptedRowSchema, acceptedRows).map((row) => ({
    number: normaliseTrackingNumber(row.number),
    trackInfo: row.track_info ?? null,
  }));
  const rejected = parseRows(rejectedRowSchema, rejectedRows).map((row) => ({
    number: normaliseTrackingNumber(row.number ?? ''),
    code: row.error.code,
  }));
  const hasUnreadableRows = accepted.length + rejected.length < acceptedRows.length + rejectedRows.length;
  const readNumbers = new Set([...accepted, ...rejected].map(({ number }) => number));
  return {
    accepted,
    rejected,
    mayHaveUnreadableRow: (number) => hasUnreadableRows && !readNumbers.has(number),
  };
}

/**
 * Returns the best answer about a number, which can have several rows, one per carrier. Prefers a row whose carrier knows the
 * number, then the one with the newest observation, then one that has parts left out. The answer is empty if there is no row.
 */
function chooseBestAnswer(number: string, rows: readonly Row[], receivedAt: number): CarrierAnswer {
  const answers = rows
    .filter((row) => row.number === number)
    .map(({ trackInfo }): CarrierAnswer => {
      const { observations, skipped } = parse17TrackInfo(number, trackInfo, receivedAt);
      const answer = { trackingNumber: number, carrier: carrierNameFrom17Track(trackInfo), observations };
      return skipped.count > 0 ? { ...answer, skipped } : answer;
    });
  const emptyAnswer: CarrierAnswer = { trackingNumber: number, carrier: null, observations: [] };
  return answers.reduce(
    (best, answer) => (isBetterAnswer(answer, best) ? answer : best),
    answers[0] ?? emptyAnswer,
  );
}

const isNumberKnown = (observations: readonly Observation[]) =>
  observations.some(({ status }) => status !== null && status !== 'not_found');

const newestTimeOf = (observations: readonly Observation[]) =>
  observations.reduce((latest, { occurredAt }) => Math.max(latest, occurredAt), Number.NEGATIVE_INFINITY);

function isBetterAnswer(a: CarrierAnswer, b: CarrierAnswer): boolean {
  if (isNumberKnown(a.observations) !== isNumberKnown(b.observations)) return isNumberKnown(a.observations);
  // Without observations, an answer has nothing but the reasons for its skipped parts.
  if (a.observations.length + b.observations.length === 0) return Boolean(a.skipped && !b.skipped);
  return newestTimeOf(a.observations) > newestTimeOf(b.observations);
}

/**
 * Creates a client for 17TRACK's API v2.2 (docs/tracking.md).
 *
 * A number that the 17TRACK account does not track yet is registered and queried again. Registering uses up quota, so
 * `register: false` skips it and returns such a number without observations.
 *
 * @param options.baseUrl with the version, such as `https://api.17track.net/track/v2.2`
 * @param options.now milliseconds since the Unix epoch, for events without a time
 */
export function create17TrackClient(options: {
  key: string;
  baseUrl: string;
  fetch?: Fetch;
  register?: boolean;
  now?: () => number;
}): CarrierClient {
  const { key, fetch = globalThis.fetch, register = true, now = Date.now } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  async function callOperation(
    operation: string,
    numbers: readonly string[],
    signal: AbortSignal,
  ): Promise<ParsedResponse> {
    const json = await callCarrier(fetch, `${baseUrl}/${operation}`, {
      method: 'POST',
      headers: { '17token': key, 'content-type': 'application/json' },
      body: JSON.stringify(numbers.map((number) => ({ number }))),
      signal,
    });
    return parseResponse(json);
  }

  /** Registers numbers. Returns those that are registered now, and those for which that could not be read. */
  async function registerNumbers(numbers: readonly string[], signal: AbortSignal, hasOtherAnswers: boolean) {
    const response = await callOperation('register', numbers, signal);
    const { accepted, rejected } = response;
    const alreadyRegisteredRows = rejected.filter(({ code }) => code === ALREADY_REGISTERED_CODE);
    const overQuotaRow = rejected.find(({ code }) => OVER_QUOTA_CODES.has(code));
    // Without quota, nothing is known about these numbers, which is different from "not found". This fails the call only if no
    // other number has been answered or registered.
    if (overQuotaRow && !hasOtherAnswers && accepted.length + alreadyRegisteredRows.length === 0)
      throw errorForCode(overQuotaRow.code, rejected);
    return {
      registeredNumbers: [...new Set([...accepted, ...alreadyRegisteredRows].map(({ number }) => number))],
      unreadableNumbers: numbers.filter(response.mayHaveUnreadableRow),
    };
  }

  async function queryBatch(numbers: readonly string[], signal: AbortSignal): Promise<CarrierAnswer[]> {
    const response = await callOperation('gettrackinfo', numbers, signal);
    const { accepted, rejected } = response;
    const answeredNumbers = new Set(accepted.map(({ number }) => number));
    const unregisteredNumbers = rejected
      .filter(
        ({ number, code }) =>
          code === NOT_REGISTERED_CODE && !answeredNumbers.has(number) && numbers.includes(number),
      )
      .map(({ number }) => number);
    const { registeredNumbers, unreadableNumbers } =
      register && unregisteredNumbers.length > 0
        ? await registerNumbers([...new Set(unregisteredNumbers)], signal, answeredNumbers.size > 0)
        : { registeredNumbers: [], unreadableNumbers: [] };
    const laterResponse =
      registeredNumbers.length > 0
        ? await callOperation('gettrackinfo', registeredNumbers, signal)
        : undefined;
    const rows = [...accepted, ...(laterResponse?.accepted ?? [])];
    const receivedAt = now();
    return numbers.map((number) => {
      const isRegistered = registeredNumbers.includes(number);
      const isUnreadable =
        response.mayHaveUnreadableRow(number) ||
        unreadableNumbers.includes(number) ||
        (isRegistered && laterResponse!.mayHaveUnreadableRow(number));
      return {
        ...chooseBestAnswer(number, rows, receivedAt),
        ...(isUnreadable ? { isUnreadable } : {}),
        ...(isRegistered ? { isNewlyRegistered: true } : {}),
      };
    });
  }

  return {
    name: '17track',
    async query(trackingNumbers, signal) {
      const numbers = [...new Set(trackingNumbers.map(normaliseTrackingNumber))];
      const answers: CarrierAnswer[] = [];
      for (const batch of splitIntoBatches(numbers, MAX_NUMBERS_PER_CALL))
        answers.push(...(await queryBatch(batch, signal)));
      return requireReadableAnswers(answers);
    },
  };
}
