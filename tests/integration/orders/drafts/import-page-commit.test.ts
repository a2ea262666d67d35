import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createShop } from '../../../../src/server/shops/account-service';
import { countWaitingStatements } from '../../../support/database/test-database';
import { commitDraft, readPreview, rowOf, uploadDraft } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder, readStoredOrders } from '../../../support/service/stored-orders';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;
let otherShopId: number;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
  ({ id: otherShopId } = await createShop(service.app.services.db, TEST_ACTOR, { name: 'Other shop' }));
});
afterAll(() => service.close());

const readDraft = async (id: string) => (await user.call('imports.draft', { id })).data;

/** Blocks the shop's imports, as a running import does. Returns a function that unblocks them. */
async function blockImports(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  await client.query('SELECT pg_advisory_lock(20261, $1)', [service.shopId]);
  return () => client.end();
}

/**
 * Returns a row for each statement that waits for a lock on the table of shops. The table has the same id in the databases of all
 * test files, because they are copies.
 */
const findLockWaitsForShops = () =>
  service.database.query(
    `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE NOT l.granted AND l.relation = 'shops'::regclass AND d.datname = current_database()`,
  );

async function waitForStep(id: string, step: string): Promise<void> {
  for (let attempt = 0; attempt < 800; attempt++) {
    if ((await readDraft(id)).step === step) return;
    await sleep(25);
  }
  throw new Error(`The import was never ${step}.`);
}

it.each<[string, () => Promise<unknown>]>([
  ['another import changes an order', () => service.importRows([{ receipt_id: 's1', name: 'Other' }])],
  ['an order gets another item', () => service.importRows([{ receipt_id: 's1', transaction_id: '9' }])],
  [
    'a user sets a status',
    async () => {
      const { id } = await readStoredOrder(service.database, 's1');
      expect(
        (
          await user.call('orders.setStatus', {
            filter: { ids: [String(id)] },
            count: 1,
            status: 'cancelled',
          })
        ).status,
      ).toBe(200);
    },
  ],
  [
    'an unknown country name in the file becomes an alias',
    async () => {
      const owner = await createSignedInUser(service, 'owner');
      expect((await owner.call('countries.addAlias', { code: 'DE', alias: 'Brickland' })).status).toBe(200);
    },
  ],
  ['an order that is new in the file is imported', () => service.importRows([{ receipt_id: 's2' }])],
  [
    'a SKU in the file turns out to have lost its zeros',
    () => service.importRows([{ receipt_id: 's3', sku: '00731' }]),
  ],
  [
    'another shop gets an order of the file',
    () => service.importRows([{ receipt_id: 's2' }], { account_id: otherShopId }),
  ],
])(
  'the commit is refused if %s after the preview, and succeeds after a new preview',
  async (_, makeChange) => {
    await service.database.query('DELETE FROM orders');
    await service.importRows([{ receipt_id: 's1', transaction_id: '1' }]);
    const id = await uploadDraft(service, user, [
      rowOf('s1', { name: 'Ann' }),
      rowOf('s2', { country: 'Brickland', sku: '731' }),
    ]);
    const { fingerprint } = await readPreview(user, id, 'new');
    await makeChange();
    const ordersBefore = await readStoredOrders(service.database);
    const refusal = await user.call('imports.commit', { id, fingerprint });
    expect([refusal.status, refusal.error?.code]).toEqual([409, 'conflict']);
    expect(refusal.error?.message).toBe(
      'What the preview showed has changed, so nothing was imported. Look at the new preview, then import.',
    );
    expect(await readStoredOrders(service.database)).toEqual(ordersBefore);
    expect(await readDraft(id)).toMatchObject({ state: 'ready', import_id: null });
    expect((await commitDraft(user, id)).status).toBe(200);
  },
);

it('the commit is refused if a cell is fixed after the preview', async () => {
  const id = await uploadDraft(service, user, [rowOf('m1')]);
  const { fingerprint } = await readPreview(user, id, 'new');
  await user.call('imports.fix', { id, cells: [{ row: 1, column: 17, value: 'Ann' }] });
  expect((await user.call('imports.commit', { id, fingerprint })).status).toBe(409);
});

it('a draft is imported only once, even if several commits run at the same time', async () => {
  const id = await uploadDraft(service, user, [rowOf('t1')]);
  const { fingerprint } = await readPreview(user, id, 'new');
  const responses = await Promise.all([1, 2, 3].map(() => user.call('imports.commit', { id, fingerprint })));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await user.call('imports.commit', { id, fingerprint })).status).toBe(409);
  expect((await user.call('imports.preview', { id, part: 'new' })).status).toBe(409);
  expect((await readStoredOrder(service.database, 't1')).items).toHaveLength(1);
  const auditEntries = await service.database.query(
    `SELECT record_id, actor FROM audit_log WHERE action = 'import.commit' AND after ->> 'file_name' = 'orders.csv'
      ORDER BY id DESC LIMIT 1`,
  );
  expect(auditEntries).toEqual([{ record_id: (await readDraft(id)).import_id, actor: user.email }]);
});

it('a connection that breaks during the import leaves nothing half done, and the import can be run again', async () => {
  const id = await uploadDraft(service, user, [rowOf('c1'), rowOf('c2')]);
  const { fingerprint } = await readPreview(user, id, 'new');
  // A constraint breaks the connection at the first item, after the orders have been stored. A cluster would not allow a trigger.
  await service.database.query(`
    CREATE FUNCTION break() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN true; END $$`);
  await service.database.query(
    'ALTER TABLE order_items ADD CONSTRAINT breaks_connection CHECK (break()) NOT VALID',
  );
  const commitResponse = await user.call('imports.commit', { id, fingerprint });
  await service.database.query('ALTER TABLE order_items DROP CONSTRAINT breaks_connection');
  expect(commitResponse.status).toBe(500);
  expect(await readDraft(id)).toMatchObject({ state: 'failed', import_id: null });
  expect(
    (await readStoredOrders(service.database)).filter(({ receipt_id }) => /^c\d/.test(receipt_id)),
  ).toEqual([]);
  expect((await user.call('imports.commit', { id, fingerprint })).data).toMatchObject({ new_orders: 2 });
});

it('an import whose rows cannot be loaded counts as failed at once, and can be run again', async () => {
  const id = await uploadDraft(service, user, [rowOf('l1')]);
  const { fingerprint } = await readPreview(user, id, 'new');
  // The draft can still be claimed and released without this column.
  await service.database.query('ALTER TABLE import_drafts RENAME COLUMN content_hash TO hidden_hash');
  const commitResponse = await user.call('imports.commit', { id, fingerprint });
  await service.database.query('ALTER TABLE import_drafts RENAME COLUMN hidden_hash TO content_hash');
  expect(commitResponse.status).toBe(500);
  expect(await readDraft(id)).toMatchObject({ state: 'failed', failure: { reason: 'import.broken' } });
  expect((await user.call('imports.commit', { id, fingerprint })).data).toMatchObject({ new_orders: 1 });
});

it('an import whose process has died counts as failed and can be run again; a running import cannot', async () => {
  const id = await uploadDraft(service, user, [rowOf('d1')]);
  const { fingerprint } = await readPreview(user, id, 'new');
  const simulateRunIdleFor = (seconds: number) =>
    service.database.query(
      `UPDATE import_drafts SET state = 'running', updated_at = now() - $2 * interval '1 second' WHERE id = $1`,
      [id, seconds],
    );
  await simulateRunIdleFor(30);
  expect((await user.call('imports.commit', { id, fingerprint })).status).toBe(409);
  expect((await user.call('imports.discard', { id })).status).toBe(409);
  await simulateRunIdleFor(90);
  expect(await readDraft(id)).toMatchObject({ state: 'failed', failure: { reason: 'import.interrupted' } });
  expect((await user.call('imports.commit', { id, fingerprint })).status).toBe(200);
});

it.each([
  ['succeeds', 'done', 'x1'],
  ['is refused', 'ready', 'x2'],
])(
  'a draft whose import %s while it is being discarded is not discarded, and the error says that it is being imported',
  async (_, state, receiptId) => {
    await service.importRows([{ receipt_id: 'x0' }]);
    const id = await uploadDraft(service, user, [rowOf(receiptId)]);
    const clients = [1, 2].map(() => new pg.Client({ connectionString: service.database.url }));
    const [importer, blocker] = clients as [pg.Client, pg.Client];
    try {
      for (const client of clients) await client.connect();
      await importer.query('BEGIN');
      await importer.query(`UPDATE import_drafts SET state = 'running', updated_at = now() WHERE id = $1`, [
        id,
      ]);
      const discardPromise = user.call('imports.discard', { id });
      await expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBe(1);
      // The deletion does not need this table, but reading the draft afterwards does.
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE shops IN ACCESS EXCLUSIVE MODE');
      await importer.query('COMMIT');
      await expect.poll(findLockWaitsForShops, { timeout: 20_000 }).toHaveLength(1);
      await importer.query(
        `UPDATE import_drafts SET state = $2, import_id = CASE WHEN $2 = 'done' THEN (SELECT max(id) FROM imports) END WHERE id = $1`,
        [id, state],
      );
      await blocker.query('COMMIT');
      const { status, error } = await discardPromise;
      expect([status, error?.message]).toEqual([
        409,
        expect.stringMatching(/^This file is being imported\./),
      ]);
      expect(await readDraft(id)).toMatchObject({ state });
    } finally {
      for (const client of clients) await client.end();
    }
  },
);

it('an import that is marked as failed while it is suspended stores nothing', async () => {
  const id = await uploadDraft(service, user, [rowOf('o1')]);
  const { fingerprint } = await readPreview(user, id, 'new');
  const unblockImports = await blockImports();
  const commitPromise = user.call('imports.commit', { id, fingerprint });
  await waitForStep(id, 'checking');
  await service.database.query(`UPDATE import_drafts SET state = 'failed' WHERE id = $1`, [id]);
  await unblockImports();
  expect((await commitPromise).status).toBe(409);
  expect((await readStoredOrders(service.database)).map((order) => order.receipt_id)).not.toContain('o1');
});

it('the progress of an import is streamed until it is done, even after a reload', async () => {
  const id = await uploadDraft(service, user, [rowOf('g1'), rowOf('g2')]);
  const { fingerprint } = await readPreview(user, id, 'new');
  const input = encodeURIComponent(JSON.stringify({ id }));
  const subscribeToProgress = (cookie: string) =>
    fetch(`${service.url}/api/trpc/imports.progress?input=${input}`, {
      headers: { Cookie: cookie, Accept: 'text/event-stream', 'Sec-Fetch-Site': 'same-origin' },
    });
  const unblockImports = await blockImports();
  const commitPromise = user.call('imports.commit', { id, fingerprint });
  await waitForStep(id, 'checking');
  const abandonedResponse = await subscribeToProgress(user.cookie);
  await abandonedResponse.body?.cancel();
  const progressResponse = await subscribeToProgress(user.cookie);
  expect(progressResponse.headers.get('content-type')).toContain('text/event-stream');
  const reader = progressResponse.body!.pipeThrough(new TextDecoderStream()).getReader();
  let eventText = '';
  // The response begins before the first event is read from the database.
  while (!eventText.includes('data: {"id"')) eventText += (await reader.read()).value;
  await unblockImports();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) eventText += chunk.value;
  const events = eventText
    .split('\n')
    .filter((line) => line.startsWith('data: {"id"'))
    .map((line) => JSON.parse(line.slice(6)));
  expect(events[0]).toMatchObject({ state: 'running', done: 2, total: 8, step: 'checking' });
  expect(events.at(-1)).toMatchObject({
    state: 'done',
    done: 8,
    total: 8,
    import_id: (await commitPromise).data.import_id,
  });

  const viewer = await createSignedInUser(service, 'viewer');
  const owner = await createSignedInUser(service, 'owner');
  expect((await viewer.call('imports.progress', { id })).status).toBe(403);
  expect((await owner.call('imports.progress', { id })).status).toBe(404);
});
