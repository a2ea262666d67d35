import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDays } from '../../../src/server/statistics/days-service';
import { SHOP_TABLE } from '../../../src/server/statistics/tables';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

describe('the list of days', () => {
  it('continues after a shop ID of as many emojis as it may have characters', async () => {
    const shopIds = ['a', 'b'].map((letter) => '🦉'.repeat(49) + letter);
    for (const shopId of shopIds) {
      const { status } = await service.send('/api/shop-statistics', {
        body: { shop_id: shopId, date: '2026-08-22' },
      });
      expect(status).toBe(200);
    }
    const { db } = service.app.services;
    const query = { sort: 'shop_id', direction: 'asc', limit: 1 } as const;
    const firstPage = await listDays(db, SHOP_TABLE, query);
    const secondPage = await listDays(db, SHOP_TABLE, { ...query, cursor: firstPage.next! });
    expect([firstPage, secondPage].flatMap(({ days }) => days)).toMatchObject(
      shopIds.map((shopId) => ({ shop_id: shopId })),
    );
  });
});
