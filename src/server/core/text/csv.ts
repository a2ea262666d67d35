import { stringify } from 'csv-stringify/sync';

/** At the beginning of a CSV file, it makes spreadsheet programs read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Invisible format characters, spaces and control characters that may precede a formula. */
const INVISIBLE_CHARACTERS = '\\p{Cf}\\p{Zs}\\x00-\\x08\\v\\f\\x0e-\\x1f\\x7f-\\x9f';
/** Characters that start a formula, including their full-width forms. */
const FORMULA_START = '[=+\\-@＝＋－＠]';

/**
 * Returns the pattern of a guard where a cell with a formula may start. A program that splits the file at semicolons or tabs
 * ignores our quotes, so one of its cells may start in the middle of one of ours; a quotation mark there opens its cell.
 *
 * @param guard the apostrophe, or an empty string to find where an apostrophe belongs
 */
const guardPattern = (guard: "'" | '') =>
  new RegExp(
    `^${guard}(?='*[${INVISIBLE_CHARACTERS}]*${FORMULA_START})|(?<=[;\\t\\r\\n])${guard}(?=["'${INVISIBLE_CHARACTERS}]*${FORMULA_START})`,
    'gu',
  );

const FORMULA = guardPattern('');
const GUARDED_FORMULA = guardPattern("'");
const LEADING_BREAK = /^('*[\t\r\n])/;
const GUARDED_LEADING_BREAK = /^'('*[\t\r\n])/;
const MAY_BE_FORMULA = /[=+\-@＝＋－＠\t\r\n]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?%?$/;

/** Puts an apostrophe before each formula in a cell, and before a cell that begins with a tab or a line break. */
function withGuard(cell: string | null): string | null {
  if (cell === null || !MAY_BE_FORMULA.test(cell) || NEGATIVE_NUMBER.test(cell)) return cell;
  return cell.replace(FORMULA, "'").replace(LEADING_BREAK, "'$1");
}

/** Removes the apostrophes that `csvLines` added as a guard, so that an export can be imported again. */
export function withoutGuard(cell: string): string {
  if (!cell.includes("'")) return cell;
  return cell.replace(GUARDED_LEADING_BREAK, '$1').replace(GUARDED_FORMULA, '');
}

/**
 * Returns rows as RFC 4180 CSV with every cell in quotes; all our CSV is written here. An apostrophe guards cells that a
 * spreadsheet program would run (OWASP, "CSV Injection"); our own readers remove it. Negative numbers and percentages get none.
 */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return stringify(
    rows.map((row) => row.map(withGuard)),
    { record_delimiter: '\r\n', quoted: true, quoted_empty: true },
  );
}
