import { stringify } from 'csv-stringify/sync';

/** Invisible separators, spaces and control characters before a formula: zero-width, marks, no-break, full-width. */
const UNSEEN = '[\\p{Cf}\\p{Zs}\\x00-\\x08\\v\\f\\x0e-\\x1f\\x7f-\\x9f]*';
/** Characters that start a formula, also in full width. */
const SIGN = '[=+\\-@＝＋－＠]';
/**
 * Where a cell may start: a program that splits the file by semicolons or tabs ignores our quotes and may start a cell in the
 * middle of ours.
 */
const START = '(^|[;\\t\\r\\n])';

const FORMULA = new RegExp(`${START}('*${UNSEEN}${SIGN})`, 'gu');
const GUARDED_FORMULA = new RegExp(`${START}'('*${UNSEEN}${SIGN})`, 'gu');
const BREAK = /^('*[\t\r\n])/;
const GUARDED_BREAK = /^'('*[\t\r\n])/;
const MAY_BE_FORMULA = /[=+\-@＝＋－＠\t\r\n]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?%?$/;

/** Puts an apostrophe before a cell that is or contains a formula, so that opening the file runs nothing. */
function guarded(cell: string | null): string | null {
  if (cell === null || !MAY_BE_FORMULA.test(cell) || NEGATIVE_NUMBER.test(cell)) return cell;
  return cell.replace(FORMULA, "$1'$2").replace(BREAK, "'$1");
}

/** Removes the guard that `csvLines` added, so that an export can be imported again. */
export function withoutGuard(cell: string): string {
  if (!cell.includes("'")) return cell;
  return cell.replace(GUARDED_BREAK, '$1').replace(GUARDED_FORMULA, '$1$2');
}

/**
 * Writes rows as RFC 4180 CSV, every cell in quotes; all our CSV is written here. Guards cells that a spreadsheet program would
 * run with an apostrophe (OWASP, "CSV Injection"), which our own readers remove; negative numbers and rates stay numbers.
 */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return stringify(
    rows.map((row) => row.map(guarded)),
    { record_delimiter: '\r\n', quoted: true, quoted_empty: true },
  );
}
