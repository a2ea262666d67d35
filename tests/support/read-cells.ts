import { sentenceOf } from '../../src/server/core/errors/sentence';
import { ORDER_FIELDS, type OrderField } from '../../src/server/orders/column-map';
import { type OrderRow, readRow } from '../../src/server/orders/import/row';

/** Reads these cells as the row with index 7. Returns the result, and the fields with problems and warnings. */
export function readCells(cells: Record<string, unknown>, options: { hasEntities?: boolean } = {}) {
  const problems: string[] = [];
  const messages: string[] = [];
  const warnings: string[] = [];
  const members = Object.entries(cells);
  const isField = ([name]: [string, unknown]) => Object.hasOwn(ORDER_FIELDS, name);
  const row: OrderRow | null = readRow(
    {
      index: 7,
      cells: Object.fromEntries(members.filter(isField)),
      extra: members.filter((member) => !isField(member)),
      problemNames: new Map(),
      hasEntities: options.hasEntities ?? false,
    },
    {
      get problemCount() {
        return problems.length;
      },
      addProblem(index, name, reason) {
        problems.push(index === 7 ? name : `row ${index}`);
        messages.push(sentenceOf(reason));
      },
      addWarning(index, name) {
        warnings.push(index === 7 ? name : `row ${index}`);
      },
    },
  );
  return { row, values: row?.values, extra: row?.extra, problems, messages, warnings };
}

/** Reads one cell of a field. `value` is undefined if the cell is blank or refused. */
export function readCell(name: OrderField, cell: unknown, options: { hasEntities?: boolean } = {}) {
  const { row, problems, messages, warnings } = readCells({ receipt_id: '1', [name]: cell }, options);
  const value = name === 'receipt_id' ? row?.receiptId : row?.values[name];
  return { value, refused: problems.length > 0, warned: warnings.length > 0, message: messages[0] };
}
