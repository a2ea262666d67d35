'use client';

import type { OrderFilter } from '../../../server/orders/filter/schema';
import { SelectionActions } from './selection-actions';
import { SetStatus, type ShownOrder } from './set-status';

interface Props {
  /** Matches the selected orders. */
  filter: OrderFilter;
  /** How many orders are selected. Counting stops at 10,000, so 10,001 means more than 10,000. */
  count: number;
  /** The selected orders that the page shows or has shown. */
  shownOrders: readonly ShownOrder[];
  onDone: () => void;
}

/** The actions for selected orders: setting their status, shipping and exporting them. */
export function BulkActions({ filter, count, shownOrders, onDone }: Props) {
  return (
    <>
      <SetStatus filter={filter} count={count} shownOrders={shownOrders} onDone={onDone} />
      <SelectionActions filter={filter} count={count} />
    </>
  );
}
