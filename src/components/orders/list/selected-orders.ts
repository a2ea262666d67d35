import { useState } from 'react';
import type { RouterOutputs } from '../../api/router-types';
import type { ShownOrder } from './set-status';

type ListedOrder = RouterOutputs['orders']['list']['orders'][number];

/**
 * Returns the orders that are selected in the list, and a function that replaces the selection. Remembers the status that the page
 * showed for each order, because the selection may include orders on other pages and orders that have left the list.
 *
 * @param listedOrders the orders of this page; their current statuses replace the remembered ones
 */
export function useSelectedOrders(listedOrders: readonly ListedOrder[] = []) {
  const [selectedOrders, setSelectedOrders] = useState<readonly ShownOrder[]>([]);
  const knownOrders = new Map([
    ...selectedOrders.map((order) => [order.id, order] as const),
    ...listedOrders.map(({ id, receipt_id: receiptId, status }) => [id, { id, receiptId, status }] as const),
  ]);
  const findOrders = (ids: readonly string[]) => ids.flatMap((id) => knownOrders.get(id) ?? []);
  return {
    orders: findOrders(selectedOrders.map(({ id }) => id)),
    select: (ids: readonly string[]) => setSelectedOrders(findOrders(ids)),
  };
}
