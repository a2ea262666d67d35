import { stringify } from 'csv-stringify/sync';

/** What a spreadsheet program would take for a formula; its full-width forms too. */
const FORMULA = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

const isFormula = (cell: string) => FORMULA.test(cell) && !PLAIN_NUMBER.test(cell);

/** A cell that would be a formula gets a leading apostrophe, so that opening the file runs nothing. */
function harmless(cell: string | null): string | null {
  return cell !== null && isFormula(cell) ? `'${cell}` : cell;
}

/** The cell as it was before `csvLines` made it harmless, so that what was written out can be read in again. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;
}

/** Rows as RFC 4180; cells that a spreadsheet program would run are made harmless. */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return stringify(
    rows.map((row) => row.map(harmless)),
    { record_delimiter: '\r\n' },
  );
}
