'use client';

import type { OrderFilter } from '../../../server/orders/list/schema';
import { SelectionActions } from './selection-actions';
import { SetStatus } from './set-status';

interface Props {
  /** The selected orders, and how many there are. */
  filter: OrderFilter;
  count: number;
  onDone: () => void;
}

/** The actions for selected orders: set their status, ship and export them. */
export function BulkActions({ filter, count, onDone }: Props) {
  return (
    <>
      <SetStatus filter={filter} count={count} onDone={onDone} />
      <SelectionActions filter={filter} count={count} />
    </>
  );
}
