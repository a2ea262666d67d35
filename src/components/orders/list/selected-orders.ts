import { useState } from 'react';
import type { RouterOutputs } from '../../api/router-types';
import type { ShownOrder } from './set-status';

type ListedOrder = RouterOutputs['orders']['list']['orders'][number];

/**
 * The orders that are selected in the list. Each is remembered with the status that the page showed, because the selection keeps
 * orders of other pages, and orders that have left the list.
 *
 * @param listed the orders of this page; their statuses count for orders that are on it
 */
export function useSelectedOrders(listed: readonly ListedOrder[] = []) {
  const [selected, setSelected] = useState<readonly ShownOrder[]>([]);
  const known = new Map([
    ...selected.map((order) => [order.id, order] as const),
    ...listed.map(({ id, receipt_id: number, status }) => [id, { id, number, status }] as const),
  ]);
  const find = (ids: readonly string[]) => ids.flatMap((id) => known.get(id) ?? []);
  return {
    orders: find(selected.map(({ id }) => id)),
    select: (ids: readonly string[]) => setSelected(find(ids)),
  };
}
