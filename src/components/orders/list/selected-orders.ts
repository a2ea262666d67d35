import { useState } from 'react';
import type { RouterOutputs } from '../../api/router-types';
import type { ShownOrder } from './set-status';

type ListedOrder = RouterOutputs['orders']['list']['orders'][number];

/**
 * Returns the orders that are selected in the list, and a function that selects others. Remembers the status that the page showed
 * for each, because the selection may include orders of other pages and orders that have left the list.
 *
 * @param listed the orders of this page; their current statuses replace the remembered ones
 */
export function useSelectedOrders(listed: readonly ListedOrder[] = []) {
  const [selected, setSelected] = useState<readonly ShownOrder[]>([]);
  const knownOrders = new Map([
    ...selected.map((order) => [order.id, order] as const),
    ...listed.map(({ id, receipt_id: number, status }) => [id, { id, number, status }] as const),
  ]);
  const find = (ids: readonly string[]) => ids.flatMap((id) => knownOrders.get(id) ?? []);
  return {
    orders: find(selected.map(({ id }) => id)),
    select: (ids: readonly string[]) => setSelected(find(ids)),
  };
}
