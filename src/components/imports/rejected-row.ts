import type { RouterOutputs } from '../api/router-types';

/** A row that the import cannot take, with its bad cells; none where it is good and held back with its receipt. */
export type RejectedRow = Extract<
  RouterOutputs['imports']['preview'],
  { part: 'rejected' }
>['entries'][number];

export type MendedCells = { row: number; column: number; value: string }[];

/** A cell as the text that stands in it. */
export const cellText = (row: RejectedRow, column: number): string => String(row.cells[column] ?? '');
