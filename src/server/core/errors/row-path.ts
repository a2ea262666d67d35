/** Returns the path of a problem with a row of an import: `rows.3`, or `rows.3.quantity` for a field. The first row is 0. */
export const rowPath = (row: number, field?: string | number): string =>
  field === undefined ? `rows.${row}` : `rows.${row}.${field}`;

/** Where in the rows of an import a problem is. */
export interface RowPosition {
  row: number;
  /** The field, or the position of the cell in a row that is a list; undefined if the problem concerns the whole row. */
  field: string | undefined;
}

/** Returns the position in a path made by {@link rowPath}; null for any other path, such as `account_id`. */
export function parseRowPath(path: string): RowPosition | null {
  const [, rowText, field] = /^rows\.(\d{1,9})(?:\.(.*))?$/s.exec(path) ?? [];
  return rowText === undefined ? null : { row: Number(rowText), field };
}
