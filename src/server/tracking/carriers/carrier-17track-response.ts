import { z } from 'zod';
import { normaliseTrackingNumber } from '../../core/text/text';
import { TRACK17_REFUSED_CODES } from '../../settings/upstream-probe';
import { CarrierError } from './carrier-client';

// 17TRACK's error codes. INTERNAL_CODE and TRACK17_REFUSED_CODES reject a whole request.
const INTERNAL_CODE = -18010003;
export const ALREADY_REGISTERED_CODE = -18019901;
export const NOT_REGISTERED_CODE = -18019902;
export const OVER_QUOTA_CODES = new Set([-18019907, -18019908]);
/** Codes with which 17TRACK says that it has nothing about a number. */
const NOTHING_KNOWN_CODES = new Set([
  NOT_REGISTERED_CODE,
  // Its carrier is not detected, there is no information yet, or its carrier is wrong.
  ...[-18019903, -18019909, -18019910],
  // It is no valid number.
  ...[-18010010, -18010011, -18010012, -18010013],
  // Its carrier wants a postcode or a phone number as well.
  ...[-18010018, -18010019, -18010020],
]);

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

/** A row of 17TRACK's about a number. */
export interface Row {
  number: string;
  trackInfo: unknown;
}

/** What could be read of a response. */
export interface ParsedResponse {
  accepted: Row[];
  rejected: { number: string; code: number }[];
  /** Returns whether no row is about this number, while some rows could not be read and may be. */
  mayHaveUnreadableRow(number: string): boolean;
}

/** Returns the error for a code of 17TRACK's. */
export function errorForCode(code: number, cause: unknown): CarrierError {
  const message = `17TRACK answered with code ${code}`;
  if (TRACK17_REFUSED_CODES.has(code)) return new CarrierError('refused', message, false, { cause });
  if (OVER_QUOTA_CODES.has(code)) return new CarrierError('limited', message, false, { cause });
  return new CarrierError('broken', message, code === INTERNAL_CODE, { cause });
}

/**
 * Returns why a number could not be queried that 17TRACK rejects with this code; null if the code says that nothing is known about the
 * number. An unknown code does not say that.
 */
export function failureOfRejection(code: number): CarrierError['kind'] | null {
  return NOTHING_KNOWN_CODES.has(code) ? null : errorForCode(code, null).kind;
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
export function parseResponse(json: unknown): ParsedResponse {
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
