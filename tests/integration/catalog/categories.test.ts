import { readFile } from 'node:fs/promises';
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

  it('have names that differ in more than their letter case', async () => {
    const created = await operator.call('catalog.createCategory', { name: 'Head' });
    expect([created.status, firstProblemPathOf(created)]).toEqual([422, 'name']);
    const id = await findCategoryId('extras');
    const renamed = await operator.call('catalog.renameCategory', { id, name: 'LEG' });
    expect([renamed.status, firstProblemPathOf(renamed)]).toEqual([422, 'name']);
    expect((await operator.call('catalog.renameCategory', { id, name: 'Extras' })).status).toBe(200);
  });

  it('are deleted while they have no products, unless they have an API path', async () => {
    const id = await findCategoryId('Extras');
    const product = { code: 'EX-1', category_id: id };
    const { data: created } = await operator.call('catalog.createProduct', product);
    await operator.call('catalog.archiveProduct', { id: created.id });
    const deleteCategory = (caller: SignedInUser, categoryId: number) =>
      caller.call('catalog.deleteCategory', { id: categoryId });
    const inUseResponse = await deleteCategory(operator, id);
    expect([inUseResponse.status, inUseResponse.error?.message]).toEqual([
      422,
      expect.stringContaining('still has products (1,'),
    ]);
    const listed = await deleteCategory(operator, await findCategoryId('head'));
    expect([listed.status, listed.error?.message]).toEqual([422, expect.stringContaining('/api/legos-head')]);
    await operator.call('catalog.updateProduct', {
      id: created.id,
      category_id: await findCategoryId('leg'),
    });
    expect((await deleteCategory(viewer, id)).status).toBe(403);
    expect((await deleteCategory(operator, id)).status).toBe(200);
    expect((await deleteCategory(operator, id)).status).toBe(404);
    expect(await readNames()).not.toContain('Extras');
    expect((await readAuditEntries('category.delete'))[0]).toMatchObject({ before: { name: 'Extras' } });
  });

  it('never lose a product that is added while they are deleted', async () => {
    const { data } = await operator.call('catalog.createCategory', { name: 'contested' });
    const { id } = data.at(-1);
    const [deletion, ...additions] = await Promise.all([
      operator.call('catalog.deleteCategory', { id }),
      ...['CN-1', 'CN-2', 'CN-3'].map((code) =>
        operator.call('catalog.createProduct', { code, category_id: id }),
      ),
    ]);
    const isDeleted = deletion.status === 200;
    expect([200, 422]).toContain(deletion.status);
    expect(additions.some(({ status }) => status === 200)).toBe(!isDeleted);
    expect(additions.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
  });

  it('of an earlier version whose names differ only in letter case are renamed by the migration', async () => {
    await service.database.query('DROP INDEX categories_name_in_any_case');
    await service.database.query(
      `INSERT INTO categories (name, position) VALUES ('Brick', 50), ('BRICK', 51)`,
    );
    const [capitalizedId, upperId] = [await findCategoryId('Brick'), await findCategoryId('BRICK')];
    // Takes the name that the second category would get.
    await service.database.query('INSERT INTO categories (name, position) VALUES ($1, 52)', [
      `brick (${upperId})`,
    ]);
    const migration = await readFile(
      'prisma/migrations/20261127020000_category_names_in_any_case/migration.sql',
      'utf8',
    );
    for (const statement of migration.split(/;$/m)) await service.database.query(statement);
    expect(await readNames()).toEqual(
      expect.arrayContaining([
        'brick',
        `Brick (${capitalizedId})`,
        `brick (${upperId})`,
        expect.stringMatching(new RegExp(`^BRICK \\(${upperId}, [0-9a-f]{32}\\)$`)),
      ]),
    );
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
