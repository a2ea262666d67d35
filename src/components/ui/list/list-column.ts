import type { ReactNode } from 'react';

/** A column of a list: its name and its content for a row. */
export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** The procedure's name of this order; it makes the header a button. */
  sort?: string;
  /** Figures are right-aligned. */
  figures?: boolean;
  /** Names the row: always shown, first on a phone's card. One per list. */
  heading?: boolean;
  /** Buttons at the end of the row; the header is for screen readers only. */
  actions?: boolean;
  /** Takes the remaining width and truncates its content. */
  grow?: boolean;
  /** Shown only when chosen. */
  hidden?: boolean;
}

/**
 * The phone layout turns the table's parts into blocks, which makes browsers drop their roles, so each part names its own.
 * Mantine's table would add its scroll area to every list.
 */
export const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
