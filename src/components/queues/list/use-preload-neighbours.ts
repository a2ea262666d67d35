'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '../../api/client';
import { orderQuery } from '../../orders/queries';
import type { Entry } from '../use-queue-work';
import type { ChosenEntry } from './use-chosen-entry';

/** A neighbour is not loaded again while its data is younger than this. */
const STALE_TIME_MS = 10_000;

/**
 * Once the user has chosen an order, preloads the orders before and after it, so that they appear without delay.
 * @param hasOrders whether the entries are orders
 */
export function usePreloadNeighbours(
  entries: readonly Entry[],
  { entry, isExplicit }: ChosenEntry,
  hasOrders: boolean,
): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const index = entries.findIndex(({ id }) => id === entry?.id);
  const neighbourIds = [entries[index + 1]?.id, entries[index - 1]?.id].filter(Boolean).join(',');
  useEffect(() => {
    if (!hasOrders || !isExplicit || neighbourIds === '') return;
    for (const orderId of neighbourIds.split(','))
      queryClient.query({ ...orderQuery(trpc, orderId), staleTime: STALE_TIME_MS }).catch(() => undefined);
  }, [neighbourIds, isExplicit, hasOrders, queryClient, trpc]);
}
