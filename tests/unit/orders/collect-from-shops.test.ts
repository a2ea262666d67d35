import { expect, it } from 'vitest';
import { collectFromShops } from '../../../src/server/orders/shop-orders-service';

it('orders are collected from one shop after another, however many orders there are', async () => {
  const steps: number[] = [];
  const shops = [1, 2].map((shopId) => ({ shopId, orderIds: [] }));
  const ids = await collectFromShops(shops, async ({ shopId }) => {
    steps.push(shopId);
    await new Promise(setImmediate);
    steps.push(shopId);
    return Array<string>(200_000).fill(String(shopId));
  });
  expect(ids.length).toBe(400_000);
  expect([ids[0], ids.at(-1)]).toEqual(['1', '2']);
  expect(steps).toEqual([1, 1, 2, 2]);
});
