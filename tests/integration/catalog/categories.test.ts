import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

const listCategories = async (): Promise<{ id: number; name: string }[]> =>
  (await viewer.call('catalog.categories')).data;
const findCategoryId = async (category: string) =>
  (await listCategories()).find(({ name }) => name === category)!.id;
const readNames = async () => (await service.send('/api/legos-cate')).json;
const firstProblemPathOf = (response: { error: { problems: { path: string }[] } | null }) =>
  response.error?.problems[0]?.path;
const readAuditEntries = (action: string) =>
  service.database.query<{ before: unknown; after: unknown }>(
    'SELECT before, after FROM audit_log WHERE action = $1 ORDER BY id DESC',
    [action],
  );

describe('categories', () => {
  it('are added at the end of the public list, and can be reordered', async () => {
    const { data } = await operator.call('catalog.createCategory', { name: 'accessory' });
    expect(data.at(-1)).toMatchObject({ name: 'accessory', listed: false, products: 0 });
    expect(await readNames()).toEqual(['head', 'body', 'hair', 'leg', 'brick', 'accessory']);
    const ids = data.map(({ id }: { id: number }) => id).reverse();
    await operator.call('catalog.reorderCategories', { ids });
    expect(await readNames()).toEqual(['accessory', 'brick', 'leg', 'hair', 'body', 'head']);
    const [entry] = await readAuditEntries('category.reorder');
    expect(entry?.before).toEqual({ names: ['head', 'body', 'hair', 'leg', 'brick', 'accessory'] });
  });

  it('with an API path of their own cannot be renamed, but others can', async () => {
    const headId = await findCategoryId('head');
    const refusal = await operator.call('catalog.renameCategory', { id: headId, name: 'heads' });
    expect([refusal.status, firstProblemPathOf(refusal)]).toEqual([422, 'name']);
    expect(refusal.error?.message).toContain('/api/legos-head');
    expect((await operator.call('catalog.renameCategory', { id: headId, name: 'head' })).status).toBe(200);
    const id = await findCategoryId('accessory');
    expect((await operator.call('catalog.renameCategory', { id, name: 'extras' })).status).toBe(200);
    expect(await readNames()).toContain('extras');
    expect((await readAuditEntries('category.rename'))[0]).toMatchObject({
      before: { name: 'accessory' },
      after: { name: 'extras' },
    });
    const takenNameResponse = await operator.call('catalog.renameCategory', { id, name: 'leg' });
    expect([takenNameResponse.status, firstProblemPathOf(takenNameResponse)]).toEqual([422, 'name']);
    expect((await operator.call('catalog.renameCategory', { id: 9_999, name: 'x' })).status).toBe(404);
  });

  it('have unique names, even when several are created at the same time', async () => {
    const createCategory = () => operator.call('catalog.createCategory', { name: 'same' });
    const responses = await Promise.all([createCategory(), createCategory(), createCategory()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  it('can only be reordered by a list that contains each of them once', async () => {
    const ids = (await listCategories()).map(({ id }) => id);
    for (const invalidIds of [
      ids.slice(1),
      [...ids, 9_999],
      [...ids.slice(1), ids[1]],
      [9_999, ...ids.slice(1)],
    ]) {
      const response = await operator.call('catalog.reorderCategories', { ids: invalidIds });
      expect([response.status, firstProblemPathOf(response)]).toEqual([422, 'ids']);
    }
  });
});
