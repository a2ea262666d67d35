'use client';

import { newYorkDay, plusDays } from '../ui/chart/new-york-days';
import { ApiCall } from '../ui/page/api-call';

const PATHS = { shop: '/api/shop-statistics', listing: '/api/product-statistics' };

interface Props {
  kind: keyof typeof PATHS;
  /** A stored day, to show the request that would store it. */
  example?: { shop_id: string; date: string; extra: Record<string, unknown>; updated_at: string } | undefined;
}

/** Shows how a program stores a day. */
export function UpsertCall({ kind, example }: Props) {
  const day = plusDays(newYorkDay(new Date()), -1);
  const sample =
    kind === 'shop'
      ? { shop_id: 'my-shop', date: day, total_orders: 12, total_revenue: 345.6, total_visits: 210 }
      : { listing_id: 1089353670, shop_id: 'my-shop', date: day, visits: 40, orders: 2, revenue: 57.5 };
  return (
    <ApiCall request={{ method: 'POST', path: PATHS[kind], body: example ? sentOf(example) : sample }} />
  );
}

/** A stored day as it is sent: without members that were never given, and with `extra`'s members beside the others. */
function sentOf({ extra, updated_at: _, ...day }: NonNullable<Props['example']>): Record<string, unknown> {
  const given = Object.entries(day).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(given), ...extra };
}
