import { expect, it } from 'vitest';
import { storeItems, storeOrders } from '../../../../src/server/orders/import/import.queries';
import {
  ITEM_FIELDS,
  ORDER_AMOUNT_FIELDS,
  ORDER_DETAIL_FIELDS,
} from '../../../../src/server/orders/import/order-fields';
import { restoreItems, restoreOrders } from '../../../../src/server/orders/undo/undo.queries';

/** Returns the columns that are not among the words between two markers in a statement. */
const columnsMissingBetween = (
  text: string,
  startMarker: string,
  endMarker: string,
  columns: readonly string[],
): string[] => {
  const startOffset = text.indexOf(startMarker);
  const words: readonly string[] =
    text.slice(startOffset, text.indexOf(endMarker, startOffset)).match(/\w+/g) ?? [];
  return columns.filter((column) => !words.includes(column));
};

const ORDER_COLUMNS = [...ORDER_DETAIL_FIELDS, ...ORDER_AMOUNT_FIELDS];

it.each([
  ['orders', storeOrders.text, ORDER_COLUMNS, 'INSERT INTO orders'],
  ['items', storeItems.text, ITEM_FIELDS, 'INSERT INTO order_items'],
] as const)(
  'the import reads, changes, compares and stores every column of %s',
  (_, text, columns, insertMarker) => {
    for (const [startMarker, endMarker] of [
      ['json_to_recordset', 'JOIN'],
      ['LATERAL', ') m\n'],
      ['UPDATE', 'FROM different'],
      ['WHERE (s.', 'IS DISTINCT FROM'],
      ['IS DISTINCT FROM\n', '), changed'],
      [insertMarker, 'SELECT'],
    ] as const)
      expect(
        columnsMissingBetween(text, startMarker, endMarker, columns),
        `Add these columns to the statement in import.sql, between "${startMarker}" and "${endMarker.trim()}".`,
      ).toEqual([]);
  },
);

it.each([
  ['orders', restoreOrders.text, ORDER_COLUMNS],
  ['items', restoreItems.text, ITEM_FIELDS],
] as const)('an undo restores every column of %s', (_, text, columns) => {
  expect(
    columnsMissingBetween(text, 'SET', 'FROM', columns),
    'Add these columns to the statement in undo.sql, after SET.',
  ).toEqual([]);
});
