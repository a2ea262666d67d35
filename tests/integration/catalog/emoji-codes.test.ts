import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

describe('products whose code and name have as many emojis as they may have characters', () => {
  const products = ['a', 'b'].map((letter) => ({
    code: '🦉'.repeat(99) + letter,
    name: '🦉'.repeat(500),
  }));

  it('can be listed page by page, and imported again as they are', async () => {
    const { data: categories } = await operator.call('catalog.categories');
    for (const product of products) {
      const { status } = await operator.call('catalog.createProduct', {
        ...product,
        category_id: categories[0].id,
      });
      expect(status).toBe(200);
    }
    const { data: firstPage } = await operator.call('catalog.products', { limit: 1 });
    const { status, data: secondPage } = await operator.call('catalog.products', {
      limit: 1,
      cursor: firstPage.next,
    });
    expect(status).toBe(200);
    expect([...firstPage.products, ...secondPage.products]).toMatchObject(products);
    const rows = products.map(({ code, name }) => `${categories[0].name},${code},${name}`);
    const importedResponse = await operator.call('catalog.importProducts', {
      csv: `category,code,name\n${rows.join('\n')}\n`,
    });
    expect([importedResponse.status, importedResponse.error]).toEqual([200, null]);
  });

  it('cannot have one more in a file either', async () => {
    const rows = [`head,${'🦉'.repeat(101)},x`, `head,x,${'🦉'.repeat(501)}`];
    const { error } = await operator.call('catalog.importProducts', {
      csv: `category,code,name\n${rows.join('\n')}\n`,
    });
    expect(error!.problems.map(({ path }: { path: string }) => path)).toEqual([
      expect.stringContaining('code'),
      expect.stringContaining('name'),
    ]);
  });
});
