'use client';

import type { OrderFilter } from '../../../server/orders/list/schema';
import { SelectionActions } from './selection-actions';
import { SetStatus } from './set-status';

interface Props {
  /** The selected orders, and how many they are. */
  filter: OrderFilter;
  count: number;
  onDone: () => void;
}

/** Everything that can be done with selected orders: changing their status, shipping and exporting them. */
export function BulkActions({ filter, count, onDone }: Props) {
  return (
    <>
      <SetStatus filter={filter} count={count} onDone={onDone} />
      <SelectionActions filter={filter} count={count} />
    </>
  );
}
