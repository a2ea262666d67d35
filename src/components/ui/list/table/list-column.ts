import type { ReactNode } from 'react';

/** A column of a list: its name and its content for a row. */
export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** The key by which the list is sorted by this column. If it is set, the header is a button that sorts. */
  sort?: string;
  /** Whether the column has numbers, which are right-aligned. */
  numeric?: boolean;
  /** Whether the column names the row. It is always shown, and comes first on a card. One per list. */
  heading?: boolean;
  /** Whether the column has buttons; its header is for screen readers only. */
  actions?: boolean;
  /** Whether the column fills the remaining width and truncates its content. */
  grow?: boolean;
  /** Whether the column is shown only if the user chooses it. */
  hidden?: boolean;
  /**
   * Where the column goes on a phone's card. If any column of a list declares a slot, cards leave out the columns that do not,
   * except the heading and the buttons.
   */
  card?: CardSlot;
}

/**
 * A slot on a card of two lines: `beside` the heading or at the `end` of the first line, or a `fact` on the second line. A
 * `labelled` fact is preceded by the name of its column.
 */
type CardSlot = 'beside' | 'end' | 'fact' | 'labelled';

/** The slot of each column on a card; a column without one is not shown on cards. */
export type CardSlots = ReadonlyMap<string, CardSlot | 'heading'>;

/** The columns that go to the end of the first line by default. */
const STATE_COLUMNS = ['state', 'status', 'outcome'];
const MAX_FACTS = 3;

/**
 * Returns the slot of each column on a card. The heading and the buttons have fixed slots. Any other column has the slot that it
 * declares. If no column declares one, states go to the end of the first line, and the first other columns become facts.
 */
export function cardSlots<Row>(columns: readonly Column<Row>[]): CardSlots {
  const slots = new Map<string, CardSlot | 'heading'>();
  const hasDeclaredSlots = columns.some(({ card }) => card !== undefined);
  let factCount = 0;
  for (const { key, heading, actions, numeric, card } of columns) {
    if (heading) slots.set(key, 'heading');
    else if (actions) slots.set(key, 'end');
    else if (hasDeclaredSlots) card && slots.set(key, card);
    else if (STATE_COLUMNS.includes(key)) slots.set(key, 'end');
    else if (factCount < MAX_FACTS) {
      factCount += 1;
      slots.set(key, numeric ? 'labelled' : 'fact');
    }
  }
  return slots;
}

/**
 * The props with the roles of the parts of a table. The roles are explicit, because the phone layout turns the parts into blocks,
 * and browsers then drop the implicit ones. Mantine's table is not used, because it would add a scroll area to every list.
 */
export const ROLE_PROPS = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
