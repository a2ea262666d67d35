import { expect, it } from 'vitest';
import { parseRowPath, rowPath } from '../../../../src/server/core/errors/row-path';

it('the path of a row is parsed to the row and field that it names, whatever the name of the field', () => {
  const positions = [
    { row: 0, field: undefined },
    { row: 3, field: 'quantity' },
    { row: 12, field: '7' },
    { row: 999_999_999, field: 'a.b\nc' },
  ];
  for (const position of positions)
    expect(parseRowPath(rowPath(position.row, position.field))).toEqual(position);
});

it.each(['account_id', 'rows', 'rows.x', 'rows.-1', 'myrows.1', 'rows.1x'])(
  '%s is not the path of a row',
  (path) => {
    expect(parseRowPath(path)).toBeNull();
  },
);
