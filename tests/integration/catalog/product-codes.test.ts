import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
const CATEGORIES = ['head', 'body', 'hair', 'leg', 'brick'];
const LIST_PATHS = [...CATEGORIES, 'cate', 'sku'].map((name) => `/api/legos-${name}`);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function addProducts(category: string, codes: string[]): Promise<void> {
  await service.database.query(
    `INSERT INTO products (code, category_id) SELECT code, (SELECT id FROM categories WHERE name = $1) FROM unnest($2::text[]) code`,
    [category, codes],
  );
}

describe('the catalog API', () => {
  it('lists the five categories and no products at first', async () => {
    for (const category of [...CATEGORIES, 'sku'])
      expect((await service.send(`/api/legos-${category}`)).json).toEqual([]);
    expect((await service.send('/api/legos-cate')).json).toEqual(CATEGORIES);
  });

  it('lists the codes of each category as a bare array, sorted by code point, without archived products', async () => {
    await addProducts('head', ['b-1', 'B-1', 'é', 'A', 'a', '10', '9', 'Z']);
    await addProducts('leg', ['L-1', 'gone']);
    await service.database.query(`UPDATE products SET archived_at = now() WHERE code = 'gone'`);
    expect((await service.send('/api/legos-head')).json).toEqual([
      '10',
      '9',
      'A',
      'B-1',
      'Z',
      'a',
      'b-1',
      'é',
    ]);
    expect((await service.send('/api/legos-leg')).json).toEqual(['L-1']);
    expect((await service.send('/api/legos-sku')).json).toEqual([
      '10',
      '9',
      'A',
      'B-1',
      'L-1',
      'Z',
      'a',
      'b-1',
      'é',
    ]);
  });

  it('lists category names in their stored order, including new ones', async () => {
    await service.database.query(`INSERT INTO categories (name, position) VALUES ('accessory', 0)`);
    expect((await service.send('/api/legos-cate')).json).toEqual(['accessory', ...CATEGORIES]);
  });

  it('ignores query parameters', async () => {
    expect((await service.send('/api/legos-leg?page=2&page=3')).json).toEqual(['L-1']);
  });

  it.each(LIST_PATHS)(
    'returns a list with a strong ETag, accepts HEAD, and returns 304 if the client has the list: %s',
    async (path) => {
      const listResponse = await service.send(path);
      expect(listResponse.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const etag = listResponse.headers.get('etag')!;
      expect(etag).toMatch(/^"[^"]+"$/);
      const headResponse = await service.send(path, { method: 'HEAD' });
      expect([headResponse.status, headResponse.text, headResponse.headers.get('etag')]).toEqual([
        200,
        '',
        etag,
      ]);
      for (const ifNoneMatch of [etag, '*', `"other", ${etag}`]) {
        const notModifiedResponse = await service.send(path, { headers: { 'If-None-Match': ifNoneMatch } });
        expect([
          notModifiedResponse.status,
          notModifiedResponse.text,
          notModifiedResponse.headers.get('etag'),
        ]).toEqual([304, '', etag]);
      }
      expect((await service.send(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    },
  );

  it('changes the ETag with the list', async () => {
    const etagBefore = (await service.send('/api/legos-hair')).headers.get('etag');
    await addProducts('hair', ['H-1']);
    expect((await service.send('/api/legos-hair')).headers.get('etag')).not.toBe(etagBefore);
  });

  it.each(LIST_PATHS)('returns 401 without a key: %s', async (path) => {
    expect((await service.send(path, { headers: { 'X-Api-Key': undefined } })).status).toBe(401);
  });

  it.each(LIST_PATHS)('returns 405 for a POST: %s', async (path) => {
    const response = await service.send(path, { method: 'POST', body: {} });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
