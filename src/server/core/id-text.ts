import { MAX_INTEGER } from './exact-integer';

/** Returns whether a text is the id of a record with an `integer` key, such as a shop or a user: digits without leading zeros. */
export const isIntegerIdText = (text: string | null | undefined): text is string =>
  /^[1-9]\d{0,9}$/.test(text ?? '') && Number(text) <= MAX_INTEGER;

/** The id of a record with a `bigint` key, such as an order or an import: digits without leading zeros. */
export const RECORD_ID = /^[1-9]\d{0,17}$/;

/** Returns whether a text is the id of a record with a `bigint` key. */
export const isBigintIdText = (text: string | null | undefined): text is string => RECORD_ID.test(text ?? '');
