import { z } from 'zod';
import type { ReasonKey } from './errors/reason';
import { withReason } from './errors/validation';
import { MAX_INTEGER } from './exact-integer';
import { isBigintIdText, isIntegerIdText } from './id-text';

type IdReason = Extract<ReasonKey, `type.id${string}`>;

/**
 * The id of a record with an `integer` key, such as a shop or a user.
 *
 * @param reason why any other value is refused
 */
export function idSchema(reason: IdReason) {
  return z.int(withReason(reason)).min(1, withReason(reason)).max(MAX_INTEGER, withReason(reason));
}

/** The id of a record with an `integer` key as text, as in a URL or a command: decimal digits without leading zeros. */
export const idTextSchema = z
  .string()
  .refine(isIntegerIdText, withReason('cell.wholeRange', { minimum: 1, maximum: MAX_INTEGER }))
  .transform(Number);

/**
 * The id of a record with a `bigint` key, such as an order or an import: decimal digits without leading zeros, as text, because a
 * JSON number could be rounded.
 *
 * @param reason why any other string is refused
 */
export function recordIdSchema(reason: IdReason) {
  return z.string(withReason(reason)).refine(isBigintIdText, withReason(reason));
}

/** An id in a query, sent as decimal digits: an integer from `minimum` to 2^53-1. */
export function queryIdSchema(minimum: 0 | 1) {
  const inRange = withReason('cell.wholeRange', { minimum, maximum: Number.MAX_SAFE_INTEGER });
  return z
    .string(withReason('input.once'))
    .regex(/^[0-9]{1,16}$/, inRange)
    .transform(Number)
    .refine((id) => id >= minimum && id <= Number.MAX_SAFE_INTEGER, inRange);
}

/** A positive integer in a query, sent as decimal text and documented as an integer. */
export const queryId = queryIdSchema(1);
