import type { SignedInUser } from './signed-in';
import type { TestService } from './test-service';

/** A shop with rows in every table that its export contains. */
export interface FullShop {
  id: number;
  name: string;
  marketplaceShopId: string;
}

/**
 * Creates a shop with rows in every table that its export contains: orders of two imports, a shipment with an event for each
 * tracking number, a note, an assigned queue entry, statistics with a restatement, a prompt and replies.
 */
export async function makeFullShop(
  service: TestService,
  owner: SignedInUser,
  name: string,
  { ownNumber, sharedNumber }: { ownNumber: string; sharedNumber: string },
): Promise<FullShop> {
  const marketplaceShopId = name.toLowerCase().replace(/\W+/g, '-');
  const { data: shop } = await owner.call('shops.create', {
    name: `${name} before`,
    shop_id: marketplaceShopId,
  });
  await owner.call('shops.update', { id: shop.id, name });
  const rows = [
    {
      receipt_id: `${marketplaceShopId}-1`,
      transaction_id: '1',
      title: 'Fox',
      sale_date: '08/01/26',
      tracking_number: ownNumber,
    },
    {
      receipt_id: `${marketplaceShopId}-2`,
      transaction_id: '2',
      title: 'Owl',
      currency: 'none',
      tracking_number: sharedNumber,
    },
    { receipt_id: `${marketplaceShopId}-3`, transaction_id: '3', title: 'Moon', sale_date: '08/02/26' },
  ];
  await service.importRows(rows, { account_id: shop.id });
  await service.importRows([{ ...rows[0], title: 'Red fox' }], { account_id: shop.id });
  await service.app.services.searchIndexer.finishIndexing();
  for (const number of [ownNumber, sharedNumber])
    await service.send('/api/v1/tracks', {
      body: {
        event: 'tracking',
        data: { tracking_number: number, status: 'In transit', time: '2026-08-05T10:00:00Z' },
      },
    });
  for (const spend of [1, 2]) {
    const statisticsKey = { shop_id: marketplaceShopId, date: '2026-08-01' };
    await service.send('/api/shop-statistics', { body: { ...statisticsKey, ad_spend: spend } });
    await service.send('/api/product-statistics', {
      body: { ...statisticsKey, listing_id: 7, visits: spend },
    });
  }
  await owner.call('prompts.set', { shop_name: name, text: 'Be kind.' });
  await service.database.query(
    `WITH first_order AS (SELECT id FROM orders WHERE shop_id = $1 ORDER BY id LIMIT 1), new_note AS (
       INSERT INTO order_notes (shop_id, order_id, text, author) SELECT $1, id, 'Called.', 'ann' FROM first_order
     ), new_queue_state AS (
       INSERT INTO queue_states (shop_id, order_id, queue, assigned_to) SELECT $1, id, 'to_ship', $3 FROM first_order
     )
     INSERT INTO replies (shop_name, shop_id, order_id, messages, reply, model, outcome, duration_ms)
     SELECT $2, $1, id, '[]'::jsonb, 'Hi!', 'm', 'answered'::reply_outcome, 1 FROM first_order
      UNION ALL SELECT $2, NULL, NULL, '[]', 'Hello!', 'm', 'answered', 1`,
    [shop.id, name, owner.userId],
  );
  return { id: shop.id, name, marketplaceShopId };
}

/** The tracking numbers of the shops that {@link makeFoxAndOwlShop} creates: one of the first shop alone, and one of both. */
export const FOX_NUMBER = 'LX000000001CN';
export const SHARED_NUMBER = 'LX000000002CN';

/** Creates two full shops that have a tracking number in common. */
export async function makeFoxAndOwlShop(
  service: TestService,
  owner: SignedInUser,
): Promise<{ foxShop: FullShop; owlShop: FullShop }> {
  const foxShop = await makeFullShop(service, owner, 'Fox Shop', {
    ownNumber: FOX_NUMBER,
    sharedNumber: SHARED_NUMBER,
  });
  const owlShop = await makeFullShop(service, owner, 'Owl Shop', {
    ownNumber: 'LX000000003CN',
    sharedNumber: SHARED_NUMBER,
  });
  return { foxShop, owlShop };
}
