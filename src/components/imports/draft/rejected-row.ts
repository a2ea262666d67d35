import type { RouterOutputs } from '../../api/router-types';

/** A row that the import cannot accept, with its problems. A good row that is held back with its order has none. */
export type RejectedRow = Extract<
  RouterOutputs['imports']['preview'],
  { part: 'rejected' }
>['entries'][number];

export type FixedCells = { row: number; column: number; value: string }[];

/** Returns the text of a cell; empty if the row has no such column. */
export const cellTextOf = (row: RejectedRow, column: number): string => String(row.cells[column] ?? '');
