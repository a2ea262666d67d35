import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productRouter } from '../../../src/server/catalog/product-router';
import { countWaitingStatements } from '../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;
let categoryIdByName: Map<string, number>;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
  const { data } = await viewer.call('catalog.categories');
  categoryIdByName = new Map(data.map(({ id, name }: { id: number; name: string }) => [name, id]));
});
afterAll(() => service.close());

const createProduct = (code: string, category = 'head', fields: object = {}) =>
  operator.call('catalog.createProduct', { code, category_id: categoryIdByName.get(category), ...fields });
const readCodes = async (list: string) => (await service.send(`/api/legos-${list}`)).json;
const firstProblemPathOf = (response: { error: { problems: { path: string }[] } | null }) =>
  response.error?.problems[0]?.path;
const readAuditEntries = (action: string) =>
  service.database.query<{ before: unknown; after: unknown; actor: string }>(
    'SELECT actor, before, after FROM audit_log WHERE action = $1 ORDER BY id DESC',
    [action],
  );

describe('products', () => {
  it('that are created, archived, restored or moved change the public lists and their ETags', async () => {
    const readEtag = async () => (await service.send('/api/legos-head')).headers.get('etag')!;
    const etags = [await readEtag()];
    const { data } = await createProduct(' HD-1 ', 'head', { name: 'Plain head' });
    expect(data).toMatchObject({ code: 'HD-1', name: 'Plain head', category: 'head', archived: false });
    expect(await readCodes('head')).toEqual(['HD-1']);
    etags.push(await readEtag());
    expect(etags[1]).not.toBe(etags[0]);
    const notModifiedResponse = await service.send('/api/legos-head', {
      headers: { 'If-None-Match': etags[1]! },
    });
    expect(notModifiedResponse.status).toBe(304);
    await operator.call('catalog.archiveProduct', { id: data.id });
    expect([await readCodes('head'), await readCodes('sku')]).toEqual([[], []]);
    expect(await readEtag()).toBe(etags[0]);
    await operator.call('catalog.restoreProduct', { id: data.id });
    expect(await readEtag()).toBe(etags[1]);
    await operator.call('catalog.updateProduct', {
      id: data.id,
      category_id: categoryIdByName.get('leg'),
      name: null,
    });
    expect([await readCodes('head'), await readCodes('leg')]).toEqual([[], ['HD-1']]);
    expect(await readEtag()).toBe(etags[0]);
  });

  it('have their changes in the audit log with the values before and after, unless nothing changed', async () => {
    const [creationEntry] = await readAuditEntries('product.create');
    expect(creationEntry?.after).toEqual({
      code: 'HD-1',
      name: 'Plain head',
      category: 'head',
      archived: false,
    });
    const [updateEntry] = await readAuditEntries('product.update');
    expect(updateEntry).toEqual({
      actor: operator.email,
      before: { code: 'HD-1', name: 'Plain head', category: 'head', archived: false },
      after: { code: 'HD-1', name: null, category: 'leg', archived: false },
    });
    const { data } = await viewer.call('catalog.products', { search: 'hd-1' });
    const { id } = data.products[0];
    for (let n = 0; n < 2; n++) await operator.call('catalog.archiveProduct', { id });
    expect(await readAuditEntries('product.archive')).toHaveLength(2);
    await operator.call('catalog.restoreProduct', { id });
  });

  it('can be found by part of a code or name, by category and by archived state, in pages sorted by code', async () => {
    for (const code of ['find-b', 'find-A', 'find-a', 'find%', 'other_']) await createProduct(code, 'hair');
    const { data: archivedProduct } = await createProduct('find-gone', 'hair', { name: 'FINDable' });
    await operator.call('catalog.archiveProduct', { id: archivedProduct.id });
    const findCodes = async (input: object) =>
      (await viewer.call('catalog.products', input)).data.products.map(
        (product: { code: string }) => product.code,
      );
    expect(await findCodes({ search: 'FIND' })).toEqual(['find%', 'find-A', 'find-a', 'find-b']);
    expect(await findCodes({ search: '%' })).toEqual(['find%']);
    expect(await findCodes({ search: 'find', archived: 'yes' })).toEqual(['find-gone']);
    expect(await findCodes({ search: 'findable', archived: 'yes' })).toEqual(['find-gone']);
    expect(await findCodes({ search: 'find', archived: 'all' })).toHaveLength(5);
    expect(await findCodes({ search: 'find', category_id: categoryIdByName.get('head') })).toEqual([]);
    const foundCodes: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await viewer.call('catalog.products', { search: 'find', limit: 3, cursor });
      foundCodes.push(...data.products.map((product: { code: string }) => product.code));
      cursor = data.next ?? undefined;
    } while (cursor);
    expect(foundCodes).toEqual(['find%', 'find-A', 'find-a', 'find-b']);
  });

  it('have unique codes, even when some are archived or several are created at the same time', async () => {
    const responses = await Promise.all([createProduct('ONE'), createProduct('ONE'), createProduct('ONE')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const duplicateResponse = await createProduct('find-gone');
    expect([duplicateResponse.status, firstProblemPathOf(duplicateResponse)]).toEqual([422, 'code']);
    expect(duplicateResponse.error?.message).toContain('archived');
    const { data } = await createProduct('TWO');
    const renameResponse = await operator.call('catalog.updateProduct', { id: data.id, code: 'ONE' });
    expect([renameResponse.status, firstProblemPathOf(renameResponse)]).toEqual([422, 'code']);
  });

  it.each([
    [{ code: ' ' }, 'code'],
    [{ code: 'x'.repeat(101) }, 'code'],
    [{ code: 'a\u0000' }, 'code'],
    [{ category_id: 9_999 }, 'category_id'],
    [{ category_id: '1' }, 'category_id'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(501) }, 'name'],
    [{ more: 1 }, 'more'],
  ])('are refused with %j; the problem is at %s', async (change, path) => {
    const response = await createProduct('fine', 'head', change);
    expect([response.status, firstProblemPathOf(response)]).toEqual([422, path]);
  });

  it('that do not exist result in 404', async () => {
    for (const procedure of ['catalog.updateProduct', 'catalog.archiveProduct', 'catalog.restoreProduct'])
      expect((await operator.call(procedure, { id: 99_999 })).status, procedure).toBe(404);
  });
});

describe('a CSV file of products', () => {
  const csv = 'code;category;name\nCSV-1;head;First\nCSV-2;leg;\nfind-b;head;\n';

  it('can be previewed, which shows what would change and changes nothing', async () => {
    const codesBefore = await readCodes('sku');
    const { data } = await operator.call('catalog.previewImport', { csv });
    expect(data).toMatchObject({ inserted: 2, updated: 1, unchanged: 0 });
    expect(data.changes[0]).toMatchObject({ code: 'CSV-1', kind: 'inserted', before: null });
    expect(data.changes[2]).toEqual({
      code: 'find-b',
      kind: 'updated',
      before: { category: 'hair', name: null, archived: false },
      after: { category: 'head', name: null, archived: false },
    });
    expect(await readCodes('sku')).toEqual(codesBefore);
  });

  it('that is imported three times at once makes the previewed changes only once, and the audit log has the values before and after', async () => {
    const responses = await Promise.all(
      [1, 2, 3].map(() => operator.call('catalog.importProducts', { csv })),
    );
    const outcomes = responses.map(({ data }) => data).sort((a, b) => b.inserted - a.inserted);
    expect(outcomes).toEqual([
      { inserted: 2, updated: 1, unchanged: 0 },
      { inserted: 0, updated: 0, unchanged: 3 },
      { inserted: 0, updated: 0, unchanged: 3 },
    ]);
    expect(await readCodes('head')).toEqual(expect.arrayContaining(['CSV-1', 'find-b']));
    const entry = (await readAuditEntries('catalog.import')).find(
      ({ after }) => (after as { inserted: number }).inserted === 2,
    );
    expect(entry).toMatchObject({
      before: { products: [{ code: 'find-b', category: 'hair' }] },
      after: {
        updated: 1,
        products: [{ code: 'CSV-1' }, { code: 'CSV-2' }, { code: 'find-b', category: 'head' }],
      },
    });
    expect((await operator.call('catalog.previewImport', { csv })).data).toMatchObject({
      changes: [],
      unchanged: 3,
    });
  });

  it.each([
    ['code,category\nX-1,nowhere\n', 'csv.2.category'],
    ['code,category\n\n,head\n', 'csv.3.code'],
    ['code,category\nX-1,head\nX-1,head\n', 'csv.3.code'],
    ['code,name\nX-1,head\n', 'csv.1.category'],
    ['code,category\n"X-1', 'csv'],
  ])(
    'with the content %j is refused in the preview and in the import; the problem is at %s',
    async (text, path) => {
      for (const procedure of ['catalog.previewImport', 'catalog.importProducts']) {
        const response = await operator.call(procedure, { csv: text });
        expect([response.status, firstProblemPathOf(response)]).toEqual([422, path]);
      }
      expect(await readCodes('sku')).not.toContain('X-1');
    },
  );

  it('leaves the values that it replaced in the audit log, even if another change is committed while the import waits', async () => {
    await createProduct('RACED', 'head', { name: 'First' });
    const client = await service.app.services.db.bulkPool.connect();
    let importPromise: ReturnType<typeof operator.call>;
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE products SET name = 'Second' WHERE code = 'RACED'`);
      importPromise = operator.call('catalog.importProducts', {
        csv: 'code,category,name\nRACED,head,Third\n',
      });
      await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    expect((await importPromise).data).toMatchObject({ updated: 1 });
    expect((await readAuditEntries('catalog.import'))[0]?.before).toMatchObject({
      products: [{ name: 'Second' }],
    });
  });

  it('can contain 60,000 products', async () => {
    const text = `code,category\n${Array.from({ length: 60_000 }, (_, n) => `BIG-${n},brick`).join('\n')}\n`;
    const { data } = await operator.call('catalog.importProducts', { csv: text });
    expect(data).toEqual({ inserted: 60_000, updated: 0, unchanged: 0 });
  });

  it('is exported with a byte order mark and with its formulas made harmless, changes nothing when it is imported again, and restores archived products', async () => {
    await createProduct('=cmd()', 'hair', { name: '+1, "two"' });
    const response = await fetch(
      `${service.url}/api/downloads/products?category_id=${categoryIdByName.get('hair')}`,
      {
        headers: { Cookie: viewer.cookie },
      },
    );
    const readText = async (file: Response) => Buffer.from(await file.arrayBuffer()).toString();
    const text = await readText(response);
    expect(text).toMatch(/^\ufeff"category"/);
    expect(text).toContain(`"hair","'=cmd()","'+1, ""two"""\r\n`);
    const { data } = await operator.call('catalog.importProducts', { csv: text });
    expect(data).toMatchObject({ inserted: 0, updated: 0 });
    expect(data.unchanged).toBeGreaterThan(3);
    const archivedResponse = await fetch(
      `${service.url}/api/downloads/products?archived=all&search=find-gone`,
      {
        headers: { Cookie: viewer.cookie },
      },
    );
    const archivedText = await readText(archivedResponse);
    expect(archivedText).toBe(
      '\ufeff"category","code","name","archived"\r\n"hair","find-gone","FINDable","archived"\r\n',
    );
    const restoreResponse = await operator.call('catalog.importProducts', { csv: archivedText });
    expect(restoreResponse.data).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    expect(await readCodes('hair')).toContain('find-gone');
  });
});

it('a viewer cannot change the catalog', async () => {
  const mutations = Object.entries(productRouter._def.procedures).filter(
    ([, { _def }]) => _def.type === 'mutation',
  );
  expect(mutations.length).toBeGreaterThan(7);
  for (const [name] of mutations) expect((await viewer.call(`catalog.${name}`, {})).status, name).toBe(403);
});
