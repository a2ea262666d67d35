import type { ReactNode } from 'react';

/** A column of a list: what it is called, and what it shows of a row. */
export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** The procedure's word for this order; the head is then a button. */
  sort?: string;
  /** Figures stand at the right, under each other. */
  figures?: boolean;
  /** Names the row: always shown, first on a phone's card. One a list. */
  heading?: boolean;
  /** Buttons at the end of the row, whose head is read out and not shown. */
  actions?: boolean;
  /** Takes what room the others leave, and cuts off what does not fit. */
  grow?: boolean;
  /** Shown only when it is chosen. */
  hidden?: boolean;
}

/**
 * A phone's layout makes blocks of the table's parts, and browsers then forget what they are: so each says it. Mantine's own table
 * would bring its scroll area along to every list.
 */
export const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
