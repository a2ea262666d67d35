import { afterAll, beforeAll, expect, it } from 'vitest';
import { countDeadlocks, countWaitingStatements } from '../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;
let viewer: SignedInUser;
let lastReceiptId = 0;

beforeAll(async () => {
  service = await startTestService();
  admin = await createSignedInUser(service, 'admin');
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

const importOrdersFrom = (...countryNames: string[]) =>
  service.importRows(
    countryNames.map((country_name) => ({ receipt_id: String(++lastReceiptId), country_name })),
  );
const readCountryCodes = async (name: string) =>
  (
    await service.database.query<{ code: string | null }>(
      'SELECT country_code AS code FROM orders WHERE country_name = $1 ORDER BY id',
      [name],
    )
  ).map(({ code }) => code);
const firstProblemOf = (response: { error: { problems: { path: string; message: string }[] } | null }) =>
  response.error?.problems[0];
const addAlias = (code: string, alias: string) => admin.call('countries.addAlias', { code, alias });

it('the list of countries includes their aliases', async () => {
  const { data } = await viewer.call('countries.list');
  expect(data.length).toBeGreaterThan(200);
  const germany = data.find(({ code }: { code: string }) => code === 'DE');
  expect(germany.name).toBe('Germany');
  expect(germany.aliases).toEqual(expect.arrayContaining(['Deutschland']));
});

it('a new alias matches stored orders, whatever their letter case and accents, and orders that are imported later', async () => {
  await importOrdersFrom('Brickland', 'BRICKLAND ', 'Brickländ', 'Elsewhere');
  const { data: rowsBefore } = await viewer.call('countries.unmatched');
  const names = rowsBefore.map((row: { country_name: string }) => row.country_name);
  expect(names.sort()).toEqual(['BRICKLAND', 'Brickland', 'Brickländ', 'Elsewhere']);
  const { data } = await addAlias('DE', 'brickland');
  expect(data.matched_orders).toBe(3);
  expect(await readCountryCodes('Brickland')).toEqual(['DE']);
  expect(await readCountryCodes('Elsewhere')).toEqual([null]);
  await importOrdersFrom('brickland');
  expect(await readCountryCodes('brickland')).toEqual(['DE']);
  const { data: rowsAfter } = await viewer.call('countries.unmatched');
  expect(rowsAfter).toMatchObject([{ country_name: 'Elsewhere', orders: 1 }]);
  const [entry] = await service.database.query(
    `SELECT actor, record_id, after FROM audit_log WHERE action = 'country.add_alias'`,
  );
  expect(entry).toEqual({
    actor: admin.email,
    record_id: 'DE',
    after: { alias: 'brickland', matched_orders: 3 },
  });
});

it('unmatched names are listed with their number of orders, the most frequent first', async () => {
  await importOrdersFrom('Often', 'Often', 'Rarely');
  const { data } = await viewer.call('countries.unmatched', { limit: 1 });
  expect(data).toMatchObject([{ country_name: 'Often', orders: 2 }]);
});

it.each([
  ['Germany', 'Germany (DE)'],
  ['deutschland', 'Germany (DE)'],
  ['BRICKLAND', 'Germany (DE)'],
  ['us', 'United States (US)'],
])(
  'the alias %s is refused, and the message names the country that it already means',
  async (alias, country) => {
    const response = await addAlias('FR', alias);
    expect([response.status, firstProblemOf(response)?.path]).toEqual([422, 'alias']);
    expect(firstProblemOf(response)?.message).toContain(country);
  },
);

it.each([
  [{ alias: '' }, 'alias'],
  [{ alias: '\u0301' }, 'alias'],
  [{ alias: 'x'.repeat(201) }, 'alias'],
  [{ alias: 'a\u0000' }, 'alias'],
  [{ code: 'de' }, 'code'],
  [{ more: 1 }, 'more'],
])('a new alias with %j is refused; the problem is at %s', async (change, path) => {
  const response = await admin.call('countries.addAlias', { code: 'DE', alias: 'Fine', ...change });
  expect([response.status, firstProblemOf(response)?.path]).toEqual([422, path]);
});

it('of several concurrent calls that give one alias to different countries, only one succeeds', async () => {
  const responses = await Promise.all(['DE', 'FR', 'IT', 'ES'].map((code) => addAlias(code, 'Contested')));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
});

it('removing an alias removes the country only from orders that had it through the alias', async () => {
  await importOrdersFrom('Movable', 'Germany');
  await addAlias('DE', 'Movable');
  const { data } = await admin.call('countries.removeAlias', { code: 'DE', alias: 'MOVABLE' });
  expect(data.unmatched_orders).toBe(1);
  expect([await readCountryCodes('Movable'), await readCountryCodes('Germany')]).toEqual([[null], ['DE']]);
  await addAlias('FR', 'Movable');
  expect(await readCountryCodes('Movable')).toEqual(['FR']);
  expect((await admin.call('countries.removeAlias', { code: 'DE', alias: 'Movable' })).status).toBe(404);
  const [entry] = await service.database.query(
    `SELECT before, after FROM audit_log WHERE action = 'country.remove_alias'`,
  );
  expect(entry).toEqual({ before: { alias: 'Movable' }, after: { unmatched_orders: 1 } });
});

it('rematching sets missing countries by name and alias, and changes nothing the second time', async () => {
  await importOrdersFrom('Late', 'Germany');
  await service.database.query(
    `INSERT INTO country_aliases (folded_alias, alias, country_code) VALUES ('late', 'Late', 'IT')`,
  );
  await service.database.query(`UPDATE orders SET country_code = NULL WHERE country_name = 'Germany'`);
  expect((await admin.call('countries.rematch')).data.matched_orders).toBeGreaterThanOrEqual(2);
  expect(await readCountryCodes('Late')).toEqual(['IT']);
  expect(new Set(await readCountryCodes('Germany'))).toEqual(new Set(['DE']));
  expect((await admin.call('countries.rematch')).data.matched_orders).toBe(0);
  const entries = await service.database.query(`SELECT 1 FROM audit_log WHERE action = 'country.rematch'`);
  expect(entries).toHaveLength(1);
});

it.each(['addAlias', 'removeAlias'])(
  '%s and an import that change the same orders do not deadlock',
  async (procedure) => {
    const alias = `Atlantis ${procedure}`;
    if (procedure === 'removeAlias') await addAlias('GR', alias);
    // An import locks the order of the first row first. A statement that scans an index, by order number or by sale date (newest
    // first), finds the order of the second row first.
    const rows = [
      { receipt_id: `b-${procedure}`, sale_date: '8/20/2026', country_name: alias },
      { receipt_id: `a-${procedure}`, sale_date: '8/22/2026', country_name: alias },
    ];
    await service.importRows(rows);
    // Indexing the orders would wait for the lock too.
    await service.app.services.searchIndexer.finishIndexing();
    const client = await service.app.services.db.bulkPool.connect();
    let importPromise: ReturnType<TestService['importRows']>;
    let changePromise: ReturnType<SignedInUser['call']>;
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM orders WHERE shop_id = $1 AND receipt_id = $2 FOR UPDATE', [
        service.shopId,
        rows[0]!.receipt_id,
      ]);
      importPromise = service.importRows(rows.map((row) => ({ ...row, name: 'Bob' })));
      await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
      changePromise = admin.call(`countries.${procedure}`, { code: 'GR', alias });
      await expect.poll(() => countWaitingStatements(service.database)).toBe(2);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    expect([(await importPromise).status, (await changePromise).status]).toEqual([200, 200]);
    expect(service.readLog()).not.toContain('deadlock');
    expect(await countDeadlocks(service.database)).toBe(0);
    expect(await readCountryCodes(alias)).toEqual(procedure === 'addAlias' ? ['GR', 'GR'] : [null, null]);
  },
);

it('an alias matches ten thousand orders at once', async () => {
  await importOrdersFrom(...Array.from({ length: 10_000 }, (_, n) => (n % 2 ? 'Multitude' : 'MULTITUDE')));
  const { data } = await addAlias('ES', 'multitude');
  expect(data.matched_orders).toBe(10_000);
});

it('an operator cannot change aliases or rematch orders, and an alias for an unknown country results in 404', async () => {
  const operator = await createSignedInUser(service, 'operator');
  for (const procedure of ['addAlias', 'removeAlias'])
    expect((await operator.call(`countries.${procedure}`, { code: 'DE', alias: 'No' })).status).toBe(403);
  expect((await operator.call('countries.rematch')).status).toBe(403);
  expect((await addAlias('ZZ', 'Nowhere land')).status).toBe(404);
});
