import type { Page } from 'playwright';
import type { BackOffice } from './back-office';

/** Orders with an exception, the latest first. */
export const STUCK_ORDERS = [
  { receiptId: '4166000005', sub_status: 'Exception_Lost' },
  { receiptId: '4166000004', sub_status: 'Exception_Returned' },
  { receiptId: '4166000003', sub_status: 'Exception_Returned' },
  { receiptId: '4166000002', description: 'Held by customs' },
  { receiptId: '4166000001', description: 'Parcel damaged' },
] as const;

/** Returns the tracking number of an order. */
export const trackingNumberOf = (receiptId: string) => `LX${receiptId}CN`;

/** Returns the import row of an order with an Owl Magnet. */
export const rowOf = (receipt_id: string, members: object) => ({
  receipt_id,
  title: 'Owl Magnet',
  quantity: 1,
  price: 4.5,
  item_total: 4.5,
  currency: 'USD',
  name: `Buyer ${receipt_id.slice(-1)}`,
  first_line: '1 Example Street',
  city: 'Boston',
  country_name: 'United States',
  ...members,
});

/** Creates a shop with an order for each of `STUCK_ORDERS`. Returns the shop's id. */
export async function makeStuckOrders(backOffice: BackOffice): Promise<number> {
  const { id: shopId } = await backOffice.call('shops.create', { name: 'Fox and Bricks' });
  await backOffice.send('/api/orders/import', {
    account_id: shopId,
    rows: STUCK_ORDERS.map(({ receiptId }) =>
      rowOf(receiptId, { sale_date: '8/22/2026', tracking_number: trackingNumberOf(receiptId) }),
    ),
  });
  for (const [index, { receiptId, ...problem }] of STUCK_ORDERS.entries())
    await backOffice.send('/api/v1/tracks', {
      event: 'tracking',
      data: {
        tracking_number: trackingNumberOf(receiptId),
        status: 'exception',
        time: new Date(Date.now() - (index + 2) * 3_600_000).toISOString(),
        location: 'Leipzig',
        ...problem,
      },
    });
  return shopId;
}

/** Creates a shop with an order for each number, all of which the carrier has lost. */
export async function makeLostOrders(backOffice: BackOffice, receiptIds: readonly string[]): Promise<void> {
  const { id: shopId } = await backOffice.call('shops.create', { name: 'Fox and Bricks' });
  await backOffice.send('/api/orders/import', {
    account_id: shopId,
    rows: receiptIds.map((receiptId) =>
      rowOf(receiptId, { sale_date: '8/22/2026', tracking_number: trackingNumberOf(receiptId) }),
    ),
  });
  for (const receiptId of receiptIds)
    await backOffice.send('/api/v1/tracks', {
      event: 'tracking',
      data: {
        tracking_number: trackingNumberOf(receiptId),
        status: 'exception',
        sub_status: 'Exception_Lost',
      },
    });
}

export const entryLinksOf = (page: Page) => page.getByRole('list', { name: 'Work' }).getByRole('link');

/** Returns the order or tracking number of each entry in the list. */
export const readNumbers = (page: Page) => entryLinksOf(page).locator('.mono').allInnerTexts();

/** Returns the order or tracking number of the entry that is open beside the list. */
export const readChosenNumber = (page: Page) => page.locator('[data-entry][aria-current] .mono').innerText();

export const headingOf = (page: Page) => page.getByRole('heading', { level: 1 });

/** Presses keys one after another. Returns the number of keys. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<number> {
  for (const key of keys) await page.keyboard.press(key);
  return keys.length;
}

/** Waits until all `count` entries are done. Returns their results. */
export async function waitForOutcomes(page: Page, count: number): Promise<string[]> {
  await page.getByText(`${count} of ${count} done`).waitFor();
  return page.getByRole('list', { name: 'Results' }).getByRole('listitem').allInnerTexts();
}
