import { withoutGuard } from './csv';
import { readCsv } from './csv-reader';
import { isServiceError, type Problem, validationError } from './errors';

/** A CSV text with a header: its rows as cells by column. */
export interface CsvTable<Column extends string> {
  columns: readonly Column[];
  /** Trimmed cells, the blank ones left out, and the line of the text in which the row begins. */
  rows: { line: number; cells: Partial<Record<Column, string>> }[];
}

/** The path under which a cell's problem is told: the line as an editor counts it, the column by name. */
export const cellPath = (line: number, column: string) => `csv.${line}.${column}`;

/**
 * Reads a CSV text whose columns are known, in any order; their names in any case. A cell that was made harmless when it was
 * written out is read as it was.
 *
 * @throws ServiceError `validation_failed` where it is no CSV, names a column twice or one that is not known, or lacks one that
 * is required
 */
export function readCsvTable<Column extends string>(
  text: string,
  known: readonly Column[],
  required: readonly Column[],
): CsvTable<Column> {
  const { rows, lines } = parsed(text);
  const header = (rows[0] ?? []).map((cell) => cell.trim().toLowerCase());
  const problems: Problem[] = [];
  header.forEach((name, index) => {
    const path = cellPath(lines[0]!, name || String(index + 1));
    if (!(known as readonly string[]).includes(name))
      problems.push({ path, message: `is no column here; the columns are ${known.join(', ')}` });
    else if (header.indexOf(name) !== index) problems.push({ path, message: 'is a column twice' });
  });
  for (const name of required) {
    if (!header.includes(name)) {
      const message = `is missing in the header, which must name ${required.join(', ')}`;
      problems.push({ path: cellPath(lines[0] ?? 1, name), message });
    }
  }
  if (problems.length > 0) throw validationError(problems);
  const columns = header as Column[];
  const surplus = rows.findIndex((row) => row.slice(columns.length).some((cell) => cell.trim() !== ''));
  if (surplus > 0) {
    const path = cellPath(lines[surplus]!, String(columns.length + 1));
    throw validationError([{ path, message: 'stands beyond the columns of the header' }]);
  }
  return {
    columns,
    rows: rows.slice(1).map((row, index) => ({ line: lines[index + 1]!, cells: cellsOf(columns, row) })),
  };
}

function parsed(text: string) {
  try {
    return readCsv(new TextEncoder().encode(text));
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw validationError([{ path: 'csv', message: error.message }]);
  }
}

function cellsOf<Column extends string>(columns: readonly Column[], row: readonly string[]) {
  const cells: Partial<Record<Column, string>> = {};
  columns.forEach((column, index) => {
    const cell = withoutGuard((row[index] ?? '').trim()).trim();
    if (cell !== '') cells[column] = cell;
  });
  return cells;
}
