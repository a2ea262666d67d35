import { expect, it } from 'vitest';
import { collectFromShops } from '../../../src/server/orders/shop-orders-service';

it('collects any number of orders, one shop after the other', async () => {
  const running: number[] = [];
  const shops = [1, 2].map((shopId) => ({ shopId, orderIds: [] }));
  const ids = await collectFromShops(shops, async ({ shopId }) => {
    running.push(shopId);
    await new Promise(setImmediate);
    running.push(shopId);
    return Array<string>(200_000).fill(String(shopId));
  });
  expect(ids.length).toBe(400_000);
  expect([ids[0], ids.at(-1)]).toEqual(['1', '2']);
  expect(running).toEqual([1, 1, 2, 2]);
});
