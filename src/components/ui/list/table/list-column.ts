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
  /** Where it goes on a phone's card; once a list places one column, those without a place are left out of its cards. */
  card?: CardPlace;
}

/**
 * A card has two lines: `beside` the heading and at the `end` of the first, in the second `fact` by fact. A `labelled` fact has its
 * column's name in front.
 */
type CardPlace = 'beside' | 'end' | 'fact' | 'labelled';

/** Where each column goes on a card; absent if it does not show there. */
export type CardPlaces = ReadonlyMap<string, CardPlace | 'heading'>;

/** Columns that say how far a row is go to the end of the first line. */
const STATES = ['state', 'status', 'outcome'];
const MAX_FACTS = 3;

/** The places of a list's columns on a card: those they declare, otherwise the state, the row's buttons and the first facts. */
export function cardPlaces<Row>(columns: readonly Column<Row>[]): CardPlaces {
  const places = new Map<string, CardPlace | 'heading'>();
  const isDeclared = columns.some(({ card }) => card !== undefined);
  let facts = 0;
  for (const { key, heading, actions, figures, card } of columns) {
    if (heading) places.set(key, 'heading');
    else if (actions) places.set(key, 'end');
    else if (isDeclared) card && places.set(key, card);
    else if (STATES.includes(key)) places.set(key, 'end');
    else if (facts < MAX_FACTS) {
      facts += 1;
      places.set(key, figures ? 'labelled' : 'fact');
    }
  }
  return places;
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
