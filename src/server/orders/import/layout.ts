import { createReason, type Problem, problemAt } from '../../core/errors/reason';
import { rowPath } from '../../core/errors/row-path';
import { decodeEntities, displayText } from '../../core/text/text';
import {
  BUYER_COLUMN,
  COLUMN_FIELDS,
  FIELD_NAMES,
  fieldOfHeader,
  foldHeader,
  type OrderField,
  RECEIPT_COLUMN,
} from '../column-map';

/** A row as it was sent: its raw cells by field. */
export interface RawRow {
  /** Index in the request, counting the header row if there is one. */
  index: number;
  cells: Partial<Record<OrderField, unknown>>;
  /** Cells without a field of their own, by name. */
  extra: [name: string, cell: unknown][];
  /** The names that problems use for those cells in `extra` whose own name would be taken for a field's. */
  problemNames: ReadonlyMap<string, string>;
  /** Whether its texts may contain HTML entities, which are then decoded: only in array and spreadsheet rows (docs/orders.md). */
  hasEntities: boolean;
}

/**
 * How columns are read: the field of each (null if it has none), the names for cells without a field, and those of `names` that
 * problems replace.
 */
interface Layout extends Pick<RawRow, 'problemNames'> {
  fields: readonly (OrderField | null)[];
  names: readonly string[];
  /** The names that are taken. A cell beyond the header gets another one. */
  usedNames: ReadonlySet<string>;
}

/** The maximum number of members of a row that is an object, and of any other object in the body of an import. */
export const MAX_OBJECT_MEMBERS = 100_000;

const KNOWN_NAMES = new Set<string>(FIELD_NAMES);
const NO_PROBLEM_NAMES: ReadonlyMap<string, string> = new Map();
const POSITIONAL_LAYOUT: Layout = {
  fields: COLUMN_FIELDS,
  names: [],
  usedNames: new Set(),
  problemNames: NO_PROBLEM_NAMES,
};

const WRONG_EXPORT_REASON = createReason('rows.otherExport');

/** Returns whether an export's cell is blank or contains nothing but entities for spaces (`&nbsp;`). */
function isBlank(cell: unknown): boolean {
  return (
    cell === null || cell === undefined || (typeof cell === 'string' && decodeEntities(cell).trim() === '')
  );
}

/** Returns a name for a column that no other column has, so that no cell overwrites another in `extra`. */
function uniqueName(header: unknown, column: number, usedNames: ReadonlySet<string>): string {
  let name = String(header ?? '').trim() || `column_${column}`;
  while (usedNames.has(name)) name += ` (column_${column})`;
  return name;
}

/**
 * Creates a layout. Problems call a column without a field `column_33` if its header is the name of a field, such as `price`: that
 * name means the field's own column.
 */
function createLayout(fields: Layout['fields'], header: readonly unknown[]): Layout {
  const usedNames = new Set<string>();
  const names = header.map((cell, column) => {
    const name = uniqueName(cell, column, usedNames);
    usedNames.add(name);
    return name;
  });
  const takenNames = new Set<string | null>(fields).add('extra');
  const problemNames = names.flatMap((name, column) =>
    fields[column] || !takenNames.has(name) ? [] : [[name, `column_${column}`] as const],
  );
  return { fields, names, usedNames, problemNames: new Map(problemNames) };
}

function layoutFromNames(header: readonly unknown[]): Layout {
  const seenFields = new Set<OrderField>();
  const fields = header.map((cell) => {
    const name = fieldOfHeader(cell);
    if (name === null || seenFields.has(name)) return null;
    seenFields.add(name);
    return name;
  });
  return createLayout(fields, header);
}

/**
 * Decides from the header row how the columns are read (docs/orders.md, `excel_format: true`): by position, or by name if Order ID
 * is in a column other than 24.
 */
function readHeader(header: unknown): { layout: Layout } | { problem: Problem } {
  if (!Array.isArray(header)) {
    return {
      problem: problemAt(rowPath(0), createReason('rows.header')),
    };
  }
  const nestedColumn = header.findIndex((cell) => typeof cell === 'object' && cell !== null);
  if (nestedColumn !== -1) {
    return { problem: problemAt(rowPath(0, nestedColumn), createReason('cell.plain')) };
  }
  const receiptColumn = header.findIndex((cell) => fieldOfHeader(cell) === 'receipt_id');
  const isShifted = receiptColumn !== -1 && fieldOfHeader(header[RECEIPT_COLUMN]) !== 'receipt_id';
  const layout = isShifted ? layoutFromNames(header) : createLayout(COLUMN_FIELDS, header);
  if (isShifted && !(layout.fields.includes('transaction_id') && layout.fields.includes('sale_date'))) {
    return { problem: problemAt(rowPath(0), WRONG_EXPORT_REASON) };
  }
  if (foldHeader(header[BUYER_COLUMN]) !== 'buyer') {
    return {
      problem: problemAt(rowPath(0, BUYER_COLUMN), createReason('rows.buyer')),
    };
  }
  return { layout };
}

/**
 * Maps the names that problems with an export's rows use (fields, and the headers of extra columns) to their columns. Empty if the
 * header cannot be read.
 */
export function mapColumnsByName(header: readonly unknown[]): Map<string, number> {
  const result = readHeader(header);
  if ('problem' in result) return new Map();
  const { fields, names, problemNames } = result.layout;
  return new Map(
    names.map((name, column) => [fields[column] ?? problemNames.get(name) ?? displayText(name), column]),
  );
}

function rowFromArray(index: number, cells: readonly unknown[], layout: Layout): RawRow {
  const { problemNames } = layout;
  const row: RawRow = { index, cells: {}, extra: [], problemNames, hasEntities: true };
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column];
    if (cell === null || cell === '') continue;
    const name = layout.fields[column];
    if (name) row.cells[name] = cell;
    else row.extra.push([layout.names[column] ?? uniqueName('', column, layout.usedNames), cell]);
  }
  return row;
}

function rowFromObject(index: number, members: object, names: readonly string[]): RawRow {
  // Most rows have only known fields. Using the row itself as the cells avoids a copy.
  if (names.every((name) => KNOWN_NAMES.has(name)))
    return { index, cells: members, extra: [], problemNames: NO_PROBLEM_NAMES, hasEntities: false };
  const row: RawRow = { index, cells: {}, extra: [], problemNames: NO_PROBLEM_NAMES, hasEntities: false };
  for (const name of names) {
    const cell = (members as Record<string, unknown>)[name];
    if (KNOWN_NAMES.has(name)) row.cells[name as OrderField] = cell;
    else row.extra.push([name, cell]);
  }
  return row;
}

/**
 * Assigns the cells of a request's rows to fields, one row at a time and in order. Leaves out the rows of an excel_format request
 * whose cells are all blank.
 *
 * @param problems receives a problem for each row that has too many members or does not match the layout that `isExcelFormat`
 * requires
 */
export function* toRawRows(
  rows: Iterable<unknown>,
  isExcelFormat: boolean,
  problems: Problem[],
): Generator<RawRow> {
  let layout = POSITIONAL_LAYOUT;
  let index = -1;
  for (const row of rows) {
    index++;
    if (isExcelFormat && index === 0) {
      const result = readHeader(row);
      if ('problem' in result) {
        problems.push(result.problem);
        return;
      }
      layout = result.layout;
    } else if (Array.isArray(row)) {
      if (isExcelFormat && row.every(isBlank)) continue;
      yield rowFromArray(index, row, layout);
    } else if (isExcelFormat || typeof row !== 'object' || row === null) {
      const reason = isExcelFormat ? createReason('rows.array') : createReason('rows.object');
      problems.push(problemAt(rowPath(index), reason));
    } else {
      const names = Object.keys(row);
      if (names.length <= MAX_OBJECT_MEMBERS) yield rowFromObject(index, row, names);
      else
        problems.push(
          problemAt(rowPath(index), createReason('type.manyItems', { count: MAX_OBJECT_MEMBERS })),
        );
    }
  }
}

/** Like {@link toRawRows}, but returns all rows at once, and the problems. */
export function readRawRows(
  rows: readonly unknown[],
  isExcelFormat: boolean,
): { rows: RawRow[]; problems: Problem[] } {
  const problems: Problem[] = [];
  return { rows: [...toRawRows(rows, isExcelFormat, problems)], problems };
}
