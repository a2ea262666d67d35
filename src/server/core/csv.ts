import { stringify } from 'csv-stringify/sync';

/** Separators, spaces and control characters that nobody sees before a formula: zero width, marks, no-break, full-width. */
const UNSEEN = '[\\p{Cf}\\p{Zs}\\x00-\\x08\\v\\f\\x0e-\\x1f\\x7f-\\x9f]*';
/** What begins a formula, also in full width. */
const SIGN = '[=+\\-@＝＋－＠]';
/**
 * Where a cell may begin: a program that divides the file by semicolons or tabs does not heed our quotes, and begins one in the
 * middle of ours.
 */
const START = '(^|[;\\t\\r\\n])';

const FORMULA = new RegExp(`${START}('*${UNSEEN}${SIGN})`, 'gu');
const GUARDED_FORMULA = new RegExp(`${START}'('*${UNSEEN}${SIGN})`, 'gu');
const BREAK = /^('*[\t\r\n])/;
const GUARDED_BREAK = /^'('*[\t\r\n])/;
const MAY_BE_FORMULA = /[=+\-@＝＋－＠\t\r\n]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/** A cell that would be a formula, or hold one, gets an apostrophe before it, so that opening the file runs nothing. */
function guarded(cell: string | null): string | null {
  if (cell === null || !MAY_BE_FORMULA.test(cell) || NEGATIVE_NUMBER.test(cell)) return cell;
  return cell.replace(FORMULA, "$1'$2").replace(BREAK, "'$1");
}

/** The cell as it was before `csvLines` guarded it, so that what was written out can be read in again. */
export function withoutGuard(cell: string): string {
  if (!cell.includes("'")) return cell;
  return cell.replace(GUARDED_BREAK, '$1').replace(GUARDED_FORMULA, '$1$2');
}

/**
 * Rows as RFC 4180, every cell in quotes; the one writer of CSV. What a spreadsheet program would run is guarded by an apostrophe
 * (OWASP, "CSV Injection"), which our own readers take away again; negative numbers stay numbers.
 */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return stringify(
    rows.map((row) => row.map(guarded)),
    { record_delimiter: '\r\n', quoted: true, quoted_empty: true },
  );
}
