import { closeSpotlight } from '@mantine/spotlight';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ClipboardEvent, useRef } from 'react';
import { normaliseOrderNumber } from '../../server/core/text/order-number';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { useBackOffice } from './back-office';

/** Anything shorter is rarely a complete number. */
const MIN_NUMBER_LENGTH = 6;

/** Compares an order or tracking number with a text as the search does. */
const isSameNumber = (number: string, text: string) =>
  number.toUpperCase() === normaliseOrderNumber(text).toUpperCase();

/**
 * Returns a paste handler that opens an order when its number, or one of its tracking numbers, is pasted into an empty field. Does
 * nothing for a number that is too short or any other text, if several orders match, or if the user keeps typing before the
 * response arrives.
 */
export function useOpenPastedOrder(): (event: ClipboardEvent<HTMLInputElement>) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { prefix } = useBackOffice();
  const pasteCount = useRef(0);
  return async (event) => {
    const field = event.currentTarget;
    const text = event.clipboardData.getData('text/plain').trim();
    const pasteSequence = ++pasteCount.current;
    if (field.value !== '' || text.length < MIN_NUMBER_LENGTH || !/\d/.test(text)) return;
    const query = trpc.orders.list.queryOptions({ filter: { text }, limit: 2 }, SHOWS_OWN_ERROR);
    // If the search fails, the pasted text stays in the palette, which offers to search for it.
    const result = await queryClient.fetchQuery(query).catch(() => null);
    const order = result?.orders.length === 1 ? result.orders[0] : undefined;
    const isExact =
      order && [order.receipt_id, ...order.tracking_numbers].some((number) => isSameNumber(number, text));
    const isUnchanged =
      pasteSequence === pasteCount.current && field.isConnected && field.value.trim() === text;
    if (!isExact || !isUnchanged) return;
    closeSpotlight();
    router.push(`${prefix}/orders/${order.id}`);
  };
}
