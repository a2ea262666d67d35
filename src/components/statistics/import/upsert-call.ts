import type { ApiRequest } from '../../ui/page/api-call-text';
import { newYorkDay, plusDays } from '../../ui/value/new-york-days';

const PATHS = { shop: '/api/shop-statistics', listing: '/api/product-statistics' };

interface Shown {
  /** A stored day, to show the request that would store it. */
  example?: { shop_id: string; date: string; extra: Record<string, unknown>; updated_at: string } | undefined;
  /** What the page is filtered by, for a made-up day. */
  shop?: string | undefined;
  day?: string | undefined;
}

/** How a program stores a day. */
export function upsertCall(kind: keyof typeof PATHS, shown: Shown = {}): ApiRequest {
  const { example, shop = 'my-shop', day = plusDays(newYorkDay(new Date()), -1) } = shown;
  const sample =
    kind === 'shop'
      ? { shop_id: shop, date: day, total_orders: 12, total_revenue: 345.6, total_visits: 210 }
      : { listing_id: 1089353670, shop_id: shop, date: day, visits: 40, orders: 2, revenue: 57.5 };
  return { method: 'POST', path: PATHS[kind], body: example ? sentOf(example) : sample };
}

/** A stored day as it is sent: without members that were never given, and with `extra`'s members beside the others. */
function sentOf({ extra, updated_at: _, ...day }: NonNullable<Shown['example']>): Record<string, unknown> {
  const given = Object.entries(day).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(given), ...extra };
}
