import { normaliseTrackingNumber } from '../../core/text/text';
import {
  ALREADY_REGISTERED_CODE,
  errorForCode,
  failureOfRejection,
  NOT_REGISTERED_CODE,
  OVER_QUOTA_CODES,
  type ParsedResponse,
  parseResponse,
  type Row,
} from './carrier-17track-response';
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

/** Why nothing is known about a number, by number. */
type Failures = ReadonlyMap<string, CarrierError['kind']>;

/**
 * Returns the queried numbers about which a response says nothing, with the reason: no row is about them and some cannot be read, or
 * they have been rejected for a reason that has nothing to do with the shipment, such as a used-up quota.
 */
function findFailures(numbers: readonly string[], response: ParsedResponse): Failures {
  const failures = new Map<string, CarrierError['kind']>(
    numbers.filter(response.mayHaveUnreadableRow).map((number) => [number, 'broken']),
  );
  const queriedNumbers = new Set(numbers);
  const answeredNumbers = new Set(response.accepted.map(({ number }) => number));
  for (const { number, code } of response.rejected) {
    const failure = failureOfRejection(code);
    if (failure !== null && queriedNumbers.has(number) && !answeredNumbers.has(number))
      failures.set(number, failure);
  }
  return failures;
}

/** An answer that one row gives, and the time of its newest event that has one. */
interface RowAnswer {
  answer: CarrierAnswer;
  newestTime: number | null;
}

/**
 * Returns the best answer about a number, which can have several rows, one per carrier ({@link meritsOf}). The answer is empty if
 * there is no row.
 */
function chooseBestAnswer(number: string, rows: readonly Row[], receivedAt: number): CarrierAnswer {
  const [firstAnswer, ...otherAnswers] = rows
    .filter((row) => row.number === number)
    .map(({ trackInfo }): RowAnswer => {
      const { observations, newestTime, skipped } = parse17TrackInfo(number, trackInfo, receivedAt);
      const answer = { trackingNumber: number, carrier: carrierNameFrom17Track(trackInfo), observations };
      return { answer: skipped.count > 0 ? { ...answer, skipped } : answer, newestTime };
    });
  if (!firstAnswer) return { trackingNumber: number, carrier: null, observations: [] };
  return otherAnswers.reduce((best, other) => (isBetterAnswer(other, best) ? other : best), firstAnswer)
    .answer;
}

/**
 * Returns what is compared to choose between the answers of two rows, from the most to the least important. A row with events comes
 * first, even if their statuses are unknown, because a row without events may have nothing but the order's announcement. Its
 * latest status gets the time of receipt, which is not compared: it would be newer than every event.
 */
function meritsOf({ answer, newestTime }: RowAnswer): number[] {
  const { observations, skipped } = answer;
  const merits = [
    observations.some(({ kind, status }) => kind === 'event' && status !== 'not_found'),
    observations.some(({ status }) => status !== null && status !== 'not_found'),
    newestTime ?? Number.NEGATIVE_INFINITY,
    observations.length > 0,
    // Without observations, an answer has nothing but the reasons for its skipped parts.
    skipped !== undefined,
  ];
  return merits.map(Number);
}

function isBetterAnswer(a: RowAnswer, b: RowAnswer): boolean {
  const meritsOfB = meritsOf(b);
  for (const [index, merit] of meritsOf(a).entries())
    if (merit !== meritsOfB[index]!) return merit > meritsOfB[index]!;
  return false;
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

  /**
   * Calls an operation that follows the first query of a batch.
   *
   * @returns the carrier's error, unless the query has been aborted
   */
  const tryOperation = (operation: string, numbers: readonly string[], signal: AbortSignal) =>
    callOperation(operation, numbers, signal).catch((error: unknown) => {
      if (error instanceof CarrierError && !signal.aborted) return error;
      throw error;
    });

  /** Registers numbers. Returns those that are registered now, and why nothing is known about others. */
  async function registerNumbers(
    numbers: readonly string[],
    signal: AbortSignal,
    hasOtherAnswers: boolean,
  ): Promise<{ registeredNumbers: string[]; failures: Failures }> {
    const response = await tryOperation('register', numbers, signal);
    if (response instanceof CarrierError) {
      // The numbers that have been answered stay answered. Without any, the whole query has failed, and may be retried.
      if (!hasOtherAnswers) throw response;
      return { registeredNumbers: [], failures: new Map(numbers.map((number) => [number, response.kind])) };
    }
    const { accepted, rejected } = response;
    const alreadyRegisteredRows = rejected.filter(({ code }) => code === ALREADY_REGISTERED_CODE);
    const registeredNumbers = [
      ...new Set([...accepted, ...alreadyRegisteredRows].map(({ number }) => number)),
    ];
    // Without quota, nothing is known about these numbers, which is different from "not found".
    const overQuotaRows = rejected.filter(
      ({ number, code }) => OVER_QUOTA_CODES.has(code) && !registeredNumbers.includes(number),
    );
    if (overQuotaRows[0] && !hasOtherAnswers && registeredNumbers.length === 0)
      throw errorForCode(overQuotaRows[0].code, rejected);
    const failures: Failures = new Map([
      ...overQuotaRows.map(({ number }) => [number, 'limited'] as const),
      ...numbers.filter(response.mayHaveUnreadableRow).map((number) => [number, 'broken'] as const),
    ]);
    return { registeredNumbers, failures };
  }

  /** Queries numbers that have just been registered. Returns the rows about them, and why nothing is known about others. */
  async function queryRegisteredNumbers(
    numbers: readonly string[],
    signal: AbortSignal,
  ): Promise<{ rows: Row[]; failures: Failures }> {
    if (numbers.length === 0) return { rows: [], failures: new Map() };
    const response = await tryOperation('gettrackinfo', numbers, signal);
    if (response instanceof CarrierError)
      return { rows: [], failures: new Map(numbers.map((number) => [number, response.kind])) };
    return { rows: response.accepted, failures: findFailures(numbers, response) };
  }

  async function queryBatch(numbers: readonly string[], signal: AbortSignal): Promise<CarrierAnswer[]> {
    const response = await callOperation('gettrackinfo', numbers, signal);
    const { accepted, rejected } = response;
    const acceptedNumbers = new Set(accepted.map(({ number }) => number));
    const rejectedAsUnregistered = new Set(
      rejected.filter(({ code }) => code === NOT_REGISTERED_CODE).map(({ number }) => number),
    );
    const queryFailures = findFailures(numbers, response);
    const unregisteredNumbers = register
      ? numbers.filter(
          (number) =>
            rejectedAsUnregistered.has(number) && !acceptedNumbers.has(number) && !queryFailures.has(number),
        )
      : [];
    const hasOtherAnswers = unregisteredNumbers.length + queryFailures.size < numbers.length;
    const registration =
      unregisteredNumbers.length > 0
        ? await registerNumbers(unregisteredNumbers, signal, hasOtherAnswers)
        : { registeredNumbers: [], failures: new Map<string, CarrierError['kind']>() };
    const later = await queryRegisteredNumbers(registration.registeredNumbers, signal);
    const failures: Failures = new Map([...queryFailures, ...registration.failures, ...later.failures]);
    const rows = [...accepted, ...later.rows];
    const receivedAt = now();
    return numbers.map((number) => ({
      ...chooseBestAnswer(number, rows, receivedAt),
      ...(failures.has(number) ? { failure: failures.get(number)! } : {}),
      ...(registration.registeredNumbers.includes(number) ? { isNewlyRegistered: true } : {}),
    }));
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
