import { createReason, type Reason } from '../../core/errors/reason';
import { SCIENTIFIC_NOTATION } from '../../core/text/scientific-notation';
import { foldCountryName } from '../../countries/match';
import type { OrderField } from '../column-map';

/**
 * Detects damage that spreadsheet programs do to identifiers. Nothing here refuses a row: a damaged id cannot be distinguished
 * from an unusual one with certainty, so each finding is a warning with its reason.
 */

/** Most programs keep fifteen digits and write zeros for the rest; programs that keep more leave at least three zeros. */
const ROUNDED_NUMBER = /^\d{15}0+$|^\d{13,}000$/;

const MONTH_PATTERN = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*';
const DATE_PATTERNS = [
  /^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?: \d{1,2}:\d{2}.*)?$/,
  /^\d{4}-\d{2}-\d{2}(?:[ T]\d{1,2}:\d{2}.*)?$/,
  new RegExp(`^\\d{1,2}-${MONTH_PATTERN}(?:[- ]\\d{2,4})?$`, 'i'),
  new RegExp(`^${MONTH_PATTERN}-\\d{1,4}$`, 'i'),
];

/** The fields whose cells identify something. */
const IDENTIFIER_FIELDS = new Set<OrderField>([
  'receipt_id',
  'transaction_id',
  'listing_id',
  'tracking_number',
  'sku',
]);

/** Countries whose postal codes have five digits and often begin with zero; names are folded. */
const FIVE_DIGIT_ZIP_COUNTRIES = new Set(
  ['United States', 'United States of America', 'USA', 'US', 'Puerto Rico', 'PR'].map(foldCountryName),
);
const SHORT_ZIP = /^\d{3,4}(?:-\d{4})?$/;

/** Returns whether an id looks as if a spreadsheet had rounded it: `1.91E+18`, or sixteen or more digits that end in zeros. */
export function looksRounded(value: string): boolean {
  return SCIENTIFIC_NOTATION.test(value) || ROUNDED_NUMBER.test(value);
}

/**
 * Returns why a cell looks damaged, or null if it does not.
 *
 * @param country the row's country as written, which decides the expected form of postal codes
 */
export function findDamage(
  name: OrderField,
  cell: string | number,
  country: string | undefined,
): Reason | null {
  if (name !== 'zip' && !IDENTIFIER_FIELDS.has(name)) return null;
  const value = String(cell).trim().replace(/^#\s*/, '');
  if (name === 'zip') {
    const isShort = SHORT_ZIP.test(value) && FIVE_DIGIT_ZIP_COUNTRIES.has(foldCountryName(country ?? ''));
    return isShort ? createReason('cell.shortZip', { value, country: country ?? '' }) : null;
  }
  if (looksRounded(value)) return createReason('cell.rounded', { value });
  if (/[-/]/.test(value) && DATE_PATTERNS.some((pattern) => pattern.test(value)))
    return createReason('cell.dated', { value });
  return null;
}

/** Returns whether a SKU may have lost leading zeros, so that it is worth checking whether the shop has sold one with them. */
export function mayHaveLostZeros(sku: string): boolean {
  return /^[1-9]\d*$/.test(sku);
}

/**
 * Creates the reason of the warning about a SKU that has lost its leading zeros.
 *
 * @param soldSku the SKU with zeros that the shop has sold
 */
export function createLostZerosReason(sku: string, soldSku: string): Reason {
  return createReason('cell.lostZeros', { value: sku, sku: soldSku });
}
