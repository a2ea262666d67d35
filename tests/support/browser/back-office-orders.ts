import type { Page } from 'playwright';
import { vi } from 'vitest';
import type { BackOffice } from './back-office';
import { dateDaysAgo } from './back-office-days';

/** The number of orders, which do not all fit on one page of the list. */
export const ORDER_COUNT = 60;

/** When the first order became late, as lists show it: a day of another year with its year instead of its weekday. */
export const FIRST_DUE_DAY = dateDaysAgo(0).startsWith('2026-') ? 'Sat, Jul 4' : 'Jul 4, 2026';

export const receiptIdOf = (n: number) => String(4_165_000_000 + n);

/** Returns the order numbers in a list of orders. */
export const readReceiptIds = (page: Page) => page.locator('tbody td[data-heading] a').allInnerTexts();

/**
 * Creates a shop with sixty orders, one on each of the first thirty days of July and August 2026. The last order has two items, a
 * discount and a shipment held by customs. Returns the shop's id.
 */
export async function makeOrders(backOffice: BackOffice): Promise<number> {
  const { id: shopId } = await backOffice.call('shops.create', { name: 'Fox and Bricks' });
  const rows: Record<string, unknown>[] = Array.from({ length: ORDER_COUNT }, (_, index) => ({
    receipt_id: receiptIdOf(index + 1),
    title: index === 0 ? 'Owl Magnet' : 'Fox Sticker',
    sku: `FX-${index}`,
    quantity: 1,
    price: 4.5,
    item_total: 4.5,
    currency: 'USD',
    sale_date: `${index < 30 ? 7 : 8}/${(index % 30) + 1}/2026`,
    name: `Buyer ${index + 1}`,
    first_line: '1 Example Street',
    city: 'Boston',
    state: 'MA',
    zip: '02108',
    country_name: index % 2 === 0 ? 'United States' : 'Germany',
  }));
  const lastReceiptId = receiptIdOf(ORDER_COUNT);
  rows.push({ ...rows.at(-1)!, title: 'Bear Pin', sku: '=1+1', discount_amount: 1.5, order_shipping: 3 });
  await backOffice.send('/api/orders/import', {
    account_id: shopId,
    rows: [...rows, { receipt_id: lastReceiptId, tracking_number: 'LX000000060CN', carrier_code: 'yanwen' }],
  });
  await backOffice.send('/api/v1/tracks', {
    event: 'tracking',
    data: {
      tracking_number: 'LX000000060CN',
      status: 'exception',
      time: '2026-09-02T15:04:00Z',
      description: 'Held by customs',
      location: 'Leipzig',
    },
  });
  // Orders become searchable a moment after they arrive.
  const searchLastOrder = () => backOffice.query('orders.list', { filter: { text: lastReceiptId } });
  await vi.waitUntil(async () => (await searchLastOrder()).orders.length === 1, {
    timeout: 20_000,
    interval: 100,
  });
  return shopId;
}
