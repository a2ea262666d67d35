'use client';

import type { OrderFilter } from '../../../server/orders/filter/schema';
import { SelectionActions } from './selection-actions';
import { SetStatus, type ShownOrder } from './set-status';

interface Props {
  /** The selected orders, and how many there are. */
  filter: OrderFilter;
  count: number;
  /** Those of them that the page shows or has shown. */
  shown: readonly ShownOrder[];
  onDone: () => void;
}

/** The actions for selected orders: set their status, ship and export them. */
export function BulkActions({ filter, count, shown, onDone }: Props) {
  return (
    <>
      <SetStatus filter={filter} count={count} shown={shown} onDone={onDone} />
      <SelectionActions filter={filter} count={count} />
    </>
  );
}
