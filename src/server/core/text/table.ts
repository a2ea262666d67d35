import { invalidField, isServiceError, validationError } from '../errors/errors';
import { createReason, type Problem, problemAt } from '../errors/reason';
import { parseRowPath, rowPath } from '../errors/row-path';
import { readCsvInSlices } from './csv-reader';
import { decodeFile } from './encoding';
import type { Encoding } from './encodings';

type Cell = string | number | boolean | null;

/** The non-blank rows of a file, header first, and where in the file each begins. */
interface TableSource {
  rows: readonly (readonly Cell[])[];
  lines: readonly number[];
}

interface Columns<Column extends string> {
  /** In the order in which error messages list them. */
  known: readonly Column[];
  required: readonly Column[];
  /** Columns of our own exports that are ignored here. */
  ignored?: readonly string[];
}

/** A table with a header: its rows as cells by column. */
export interface Table<Column extends string> {
  /**
   * The rows are read one by one, with their trimmed, non-blank cells. `index` is the row's position among the non-blank rows; the
   * header is 0. Throws a ServiceError `validation_failed` at a row with cells beyond the header.
   */
  rows: Iterable<{ index: number; line: number; cells: Partial<Record<Column, string>> }>;
}

/** Returns the path by which a page names a cell: the line number as an editor shows it, and the column's name. */
const cellPath = (line: number, column: string) => `csv.${line}.${column}`;

/**
 * Reads a table with known columns, in any order and with names in upper or lower case.
 *
 * @throws ServiceError `validation_failed` if it repeats a column, has an unknown one, lacks a required one, or has no rows
 */
export function readTable<Column extends string>(
  { rows, lines }: TableSource,
  { known, required, ignored = [] }: Columns<Column>,
): Table<Column> {
  const header = (rows[0] ?? []).map((cell) => textOf(cell).toLowerCase());
  const problems: Problem[] = [];
  header.forEach((name, index) => {
    const path = rowPath(0, name || String(index + 1));
    const isTrailingBlank = name === '' && header.slice(index).every((laterName) => laterName === '');
    if (isTrailingBlank || ignored.includes(name)) return;
    if (!(known as readonly string[]).includes(name))
      problems.push(problemAt(path, createReason('csv.noColumn', { columns: known.join(', ') })));
    else if (header.indexOf(name) !== index) problems.push(problemAt(path, createReason('csv.twice')));
  });
  for (const name of required) {
    if (!header.includes(name)) {
      const reason = createReason('csv.missing', { columns: required.join(', ') });
      problems.push(problemAt(rowPath(0, name), reason));
    }
  }
  if (problems.length > 0) throw validationError(problems);
  const width = header.findLastIndex((name) => name !== '') + 1;
  if (rows.length === 1) throw invalidField('rows', createReason('csv.noRows'));
  const columns = known
    .map((name) => [name, header.indexOf(name)] as const)
    .filter(([, index]) => index !== -1);
  function* readRows() {
    for (let index = 1; index < rows.length; index++) {
      const row = rows[index]!;
      for (let column = width; column < row.length; column++)
        if (textOf(row[column]!) !== '')
          throw invalidField(rowPath(index, String(width + 1)), createReason('csv.beyond'));
      const cells: Partial<Record<Column, string>> = {};
      for (const [name, columnIndex] of columns) {
        const cell = textOf(row[columnIndex] ?? null);
        if (cell !== '') cells[name] = cell;
      }
      yield { index, line: lines[index]!, cells };
    }
  }
  return { rows: readRows() };
}

function textOf(cell: Cell): string {
  return String(cell ?? '').trim();
}

/**
 * Returns the text and the encoding of a CSV file, which a page shows and then imports.
 *
 * @param base64 the file's bytes
 * @throws ServiceError `validation_failed` like {@link decodeFile}
 */
export function readCsvFile(base64: string): { csv: string; encoding: Encoding } {
  try {
    const { bytes, encoding } = decodeFile(Buffer.from(base64, 'base64'));
    return { csv: new TextDecoder().decode(bytes), encoding };
  } catch (error) {
    throw isServiceError(error) ? invalidField('csv', error.reason) : error;
  }
}

/**
 * Runs `work` on the rows of a CSV string, which is parsed in slices between which other requests are handled. Problems that `work` throws are restated with the lines and columns of the string.
 *
 * @throws ServiceError `validation_failed` if it is not CSV; whatever `work` throws
 */
export async function withCsvText<Result>(
  text: string,
  work: (source: TableSource) => Promise<Result>,
): Promise<Result> {
  let source: TableSource;
  try {
    source = await readCsvInSlices(new TextEncoder().encode(text));
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw invalidField('csv', error.reason);
  }
  try {
    return await work(source);
  } catch (error) {
    if (!isServiceError(error) || error.problemCount === 0) throw error;
    const problems = error.problems.map((problem) => {
      const { row, field } = parseRowPath(problem.path) ?? {};
      const path = row === undefined || field === undefined ? 'csv' : cellPath(source.lines[row] ?? 1, field);
      return problemAt(path, problem);
    });
    throw validationError(problems, error.problemCount);
  }
}
