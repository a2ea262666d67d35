import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteOldDrafts } from '../../../../src/server/orders/drafts/service';
import {
  commitDraft,
  csvOf,
  readPreview,
  uploadDraft,
  uploadFile,
} from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

/** An export with a bad row and a good one, of different orders. */
const FILE = csvOf([{ receipt: 'r1', quantity: 'x' }, { receipt: 'r2' }]);
const downloadHeldBackRows = (id: string, headers: Record<string, string>) =>
  fetch(`${service.url}/api/downloads/bad-rows?draft=${id}`, { headers });

it('uploading a file and downloading its held-back rows are possible only for users who may import, and only from our own pages', async () => {
  const viewer = await createSignedInUser(service, 'viewer');
  const id = await uploadDraft(service, user, FILE);
  expect((await uploadFile(service, viewer, FILE)).status).toBe(403);
  expect((await downloadHeldBackRows(id, { Cookie: viewer.cookie })).status).toBe(403);
  expect((await uploadFile(service, user, FILE, { headers: { Cookie: '' } })).status).toBe(401);
  expect((await downloadHeldBackRows(id, { 'X-Api-Key': service.key })).status).toBe(401);
  const otherSiteHeaders = { Origin: 'https://elsewhere.example' };
  expect((await uploadFile(service, user, FILE, { headers: otherSiteHeaders })).status).toBe(403);
  expect((await downloadHeldBackRows(id, { Cookie: user.cookie, ...otherSiteHeaders })).status).toBe(403);
  expect((await fetch(`${service.url}/api/uploads/other`)).status).toBe(404);
  expect((await downloadHeldBackRows(id, { Cookie: user.cookie })).status).toBe(200);
  expect(
    (await fetch(`${service.url}/api/uploads/orders`, { headers: { Cookie: user.cookie } })).status,
  ).toBe(405);
});

it('nobody can see, change, import or discard another user’s draft', async () => {
  const id = await uploadDraft(service, user, FILE);
  const { fingerprint } = await readPreview(user, id, 'new');
  const owner = await createSignedInUser(service, 'owner');
  expect((await owner.call('imports.drafts')).data).toEqual([]);
  const cells = [{ row: 1, column: 3, value: '1' }];
  for (const [path, input] of [
    ['imports.draft', { id }],
    ['imports.preview', { id, part: 'new' }],
    ['imports.fix', { id, cells }],
    ['imports.commit', { id, fingerprint }],
    ['imports.discard', { id }],
  ] as const) {
    const { status, error } = await owner.call(path, input);
    expect([path, status, error?.code]).toEqual([path, 404, 'not_found']);
  }
  expect((await downloadHeldBackRows(id, { Cookie: owner.cookie })).status).toBe(404);
  expect((await user.call('imports.draft', { id })).data.state).toBe('ready');
});

it('a draft is kept for a week after its last change, and can be discarded', async () => {
  const [oldId, keptId, discardedId] = [
    await uploadDraft(service, user, FILE),
    await uploadDraft(service, user, FILE),
    await uploadDraft(service, user, FILE),
  ];
  await service.database.query(
    `UPDATE import_drafts SET updated_at = now() - CASE WHEN id = $1 THEN interval '8 days' ELSE interval '6 days' END`,
    [oldId],
  );
  await deleteOldDrafts(service.app.services);
  expect((await user.call('imports.discard', { id: discardedId })).status).toBe(200);
  const ids = (await user.call('imports.drafts')).data.map((draft: { id: string }) => draft.id);
  expect(ids).toContain(keptId);
  expect(ids).not.toContain(oldId);
  expect(ids).not.toContain(discardedId);
});

it('the history shows imports from the API and from the page with their user, file and counts, and can be filtered and paged through', async () => {
  await service.importRows([{ receipt_id: 'h1' }, { receipt_id: 'h2', quantity: 'x' }]);
  await service.importRows([{ receipt_id: 'h1' }]);
  const commitResponse = await commitDraft(user, await uploadDraft(service, user, FILE));
  const viewer = await createSignedInUser(service, 'viewer');
  const listImports = async (filters: object) => (await viewer.call('imports.history', filters)).data;
  const ownImports = await listImports({
    source: 'spreadsheet',
    actor: user.email.slice(0, 12),
    file_name: 'ORDERS',
  });
  expect(ownImports.entries).toMatchObject([
    {
      id: commitResponse.data.import_id,
      account: 'Test shop',
      actor: user.email,
      file_name: 'orders.csv',
      outcome: 'succeeded',
      new_orders: 1,
      warnings: 0,
      held_rows: 1,
      errors: 1,
    },
  ]);
  expect((await listImports({ warnings: true })).entries).toMatchObject([
    { id: commitResponse.data.import_id },
  ]);
  expect((await listImports({ warnings: false })).entries).toHaveLength(2);
  expect((await listImports({ outcomes: ['rejected', 'failed'] })).entries).toMatchObject([
    { source: 'api', errors: 1 },
  ]);
  expect((await listImports({ outcomes: ['rejected', 'succeeded'] })).entries).toHaveLength(3);
  expect((await listImports({ source: 'spreadsheet', until: '2020-01-01T00:00:00Z' })).entries).toEqual([]);
  const firstPage = await listImports({ limit: 2 });
  const secondPage = await listImports({ limit: 2, cursor: firstPage.next });
  const allImports = await listImports({});
  expect([...firstPage.entries, ...secondPage.entries]).toEqual(allImports.entries);
  expect([allImports.entries.length, secondPage.next]).toEqual([3, null]);
});
