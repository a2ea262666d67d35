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

const importCsv = (csv: string, kind = 'shop') => operator.call('statistics.importDays', { kind, csv });
const download = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.url}/api/downloads/${query}`, {
    method,
    headers: { Cookie: viewer.cookie, 'Sec-Fetch-Site': 'same-origin', ...headers },
  });
const readRows = (shopId: string) =>
  service.database.query(
    `SELECT shop_id, date::text, total_orders::int, ad_spend::float, extra FROM shop_daily_statistics
      WHERE shop_id = $1 ORDER BY date`,
    [shopId],
  );

describe('the CSV import', () => {
  it('stores rows as the API does, with columns in any order; blank cells keep the stored value, and extra is merged', async () => {
    const sentDay = { shop_id: 'in', date: '2026-01-01', total_orders: 5, ad_spend: 1.5, a: 1 };
    await service.send('/api/shop-statistics', { body: sentDay });
    const csv =
      '\uFEFFDate;Shop_ID;total_orders;ad_spend;extra\r\n2026-01-01;in;7;;"{""b"": [2]}"\r\n\r\n2026-01-02;in;;0.25;\r\n';
    expect((await importCsv(csv)).data).toEqual({ inserted: 1, updated: 1, unchanged: 0 });
    expect(await readRows('in')).toEqual([
      { shop_id: 'in', date: '2026-01-01', total_orders: 7, ad_spend: 1.5, extra: { a: 1, b: [2] } },
      { shop_id: 'in', date: '2026-01-02', total_orders: null, ad_spend: 0.25, extra: {} },
    ]);
    const { json } = await service.send('/api/shop-statistics', {
      body: { shop_id: 'in', date: '2026-01-01' },
    });
    expect(json.data).toMatchObject({ created: false, total_orders: 7, extra: { a: 1, b: [2] } });
  });

  it('is previewed without storing anything: new days, days that are stored already, and unknown shops', async () => {
    await service.send('/api/shop-statistics', { body: { shop_id: 'known', date: '2026-01-01' } });
    await service.database.query(
      `INSERT INTO shops (name, shop_id, archived_at) VALUES ('Archived', 'archived', now())`,
    );
    const preview = async (csv: string, kind: string) =>
      (await operator.call('statistics.previewDays', { kind, csv })).data;
    const csv =
      'shop_id,date,total_orders\nknown,2026-01-01,5\nknown,2026-01-02,5\narchived,2026-01-01,1\nknwon,2026-01-02,3\n';
    expect(await preview(csv, 'shop')).toEqual({
      inserted: 3,
      stored: 1,
      unknown_shop_ids: ['knwon'],
      unknown_shop_count: 1,
    });
    expect(await readRows('knwon')).toEqual([]);
    await service.send('/api/product-statistics', {
      body: { shop_id: 'known', date: '2026-01-01', listing_id: 1 },
    });
    const listingCsv = 'listing_id,shop_id,date\n1,known,2026-01-01\n2,known,2026-01-01\n';
    expect(await preview(listingCsv, 'listing')).toMatchObject({
      inserted: 1,
      stored: 1,
      unknown_shop_ids: [],
    });
  });

  it('is listed with its user among the changed days, and is in the audit log', async () => {
    const { data } = await viewer.call('statistics.restatements', { shop_ids: ['in'] });
    expect(data.restatements).toMatchObject([{ key: null, user: operator.email, date: '2026-01-01' }]);
    expect(data.restatements[0].changes).toEqual([
      { field: 'total_orders', before: 5, after: 7 },
      { field: 'extra.b', before: null, after: [2] },
    ]);
    const auditEntries = await service.database.query(
      `SELECT actor, after FROM audit_log WHERE action = 'statistics.import' ORDER BY id`,
    );
    expect(auditEntries[0]).toEqual({
      actor: operator.email,
      after: { kind: 'shop', inserted: 1, updated: 1, unchanged: 0 },
    });
  });

  it('changes nothing the second time, and stores each row once when the file is sent four times concurrently', async () => {
    const csv = `listing_id,shop_id,date,visits\n${Array.from({ length: 300 }, (_, n) => `${n},twice,2026-01-05,${n}`).join('\n')}\n`;
    const responses = await Promise.all(Array.from({ length: 4 }, () => importCsv(csv, 'listing')));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(responses.reduce((sum, { data }) => sum + data.inserted, 0)).toBe(300);
    expect((await importCsv(csv, 'listing')).data).toEqual({ inserted: 0, updated: 0, unchanged: 300 });
    const { data } = await viewer.call('statistics.restatements', { shop_ids: ['twice'] });
    expect(data.restatements).toEqual([]);
  });

  it('loses nothing when imports and API calls write the same days at the same time', async () => {
    const days = Array.from({ length: 40 }, (_, n) =>
      new Date(Date.UTC(2025, 0, n + 1)).toISOString().slice(0, 10),
    );
    const makeCsv = (value: number) =>
      `shop_id,date,total_orders\n${days.map((day) => `both,${day},${value}`).join('\n')}\n`;
    const callPromises = days.map((date) =>
      service.send('/api/shop-statistics', { body: { shop_id: 'both', date, total_views: 7 } }),
    );
    const importPromises = [1, 2, 3].map((value) => importCsv(makeCsv(value)));
    expect((await Promise.all(importPromises)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await Promise.all(callPromises)).map(({ status }) => status)).toEqual(days.map(() => 200));
    const storedDays = await service.database.query<{
      date: string;
      write_count: number;
      restatement_count: number;
      total_views: number;
    }>(
      `SELECT s.date::text, s.revision AS write_count, s.total_views::int, count(r.id)::int AS restatement_count
         FROM shop_daily_statistics s
         LEFT JOIN statistic_restatements r ON r.shop_id = s.shop_id AND r.date = s.date
        WHERE s.shop_id = 'both' GROUP BY 1, 2, 3 ORDER BY 1`,
    );
    expect(storedDays.map(({ date }) => date)).toEqual(days);
    // Three imports and one call wrote each day, and each write but the first replaced something.
    for (const day of storedDays)
      expect(day).toMatchObject({ total_views: 7, write_count: 4, restatement_count: 3 });
  });

  it.each([
    ['shop_id,date,total_orders\nbad,2026-01-01,1.5\n', 'csv.2.total_orders'],
    ['shop_id,date,total_orders\nbad,2026-01-01,"1,000"\n', 'csv.2.total_orders'],
    ['shop_id,date,total_orders\nbad,2026-01-01,-1\n', 'csv.2.total_orders'],
    ['shop_id,date,ad_click_rate\nbad,2026-01-01,100.1\n', 'csv.2.ad_click_rate'],
    ['shop_id,date\nbad,2026-02-30\n', 'csv.2.date'],
    ['shop_id,date\nbad,1/2/2026\n', 'csv.2.date'],
    ['shop_id,date\n,2026-01-01\n', 'csv.2.shop_id'],
    [`shop_id,date\n${'x'.repeat(51)},2026-01-01\n`, 'csv.2.shop_id'],
    ['shop_id,date,total_order\nbad,2026-01-01,1\n', 'csv.1.total_order'],
    ['shop_id,date,date\nbad,2026-01-01,2026-01-01\n', 'csv.1.date'],
    ['shop_id,total_orders\nbad,1\n', 'csv.1.date'],
    ['shop_id,date\nbad,2026-01-01,5\n', 'csv.2.3'],
    ['shop_id,date,extra\nbad,2026-01-01,[1]\n', 'csv.2.extra'],
    ['shop_id,date,extra\nbad,2026-01-01,"{""date"":1}"\n', 'csv.2.extra'],
    ['shop_id,date,extra\nbad,2026-01-01,"{""a"":""\\u0000""}"\n', 'csv.2.extra'],
    ['shop_id,date\nbad,2026-01-01\n\nbad,2026-01-01\n', 'csv.4.date'],
    ['shop_id,date\n', 'csv'],
    ['shop_id,date\n"bad', 'csv'],
    ['', 'csv'],
  ])('refuses %j, naming %s, and stores nothing', async (csv, path) => {
    const response = await importCsv(csv);
    expect(response.status, JSON.stringify(response)).toBe(422);
    expect(response.error?.problems.map((problem) => problem.path)).toContain(path);
    expect(await readRows('bad')).toEqual([]);
  });

  it('says what each bad figure must be, by line and column', async () => {
    const response = await importCsv(
      'shop_id,date,total_orders,ad_spend,conversion_rate\nbad,2026-01-01,x,,\nbad,2026-01-02,1.5,-1,101\n',
    );
    expect(response.error?.problems).toEqual([
      { path: 'csv.2.total_orders', message: 'must be a number' },
      { path: 'csv.3.ad_spend', message: 'must be at least 0' },
      { path: 'csv.3.total_orders', message: 'must be a whole number' },
      { path: 'csv.3.conversion_rate', message: 'must be at most 100' },
    ]);
  });

  it('names the first hundred bad rows, counts the others, and stores none of the good rows', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => `all-${n},2026-01-01,${n < 2 ? 1 : 'x'}`);
    const response = await importCsv(`shop_id,date,total_orders\n${lines.join('\n')}\n`);
    expect(response.status).toBe(422);
    expect(response.error?.problems.map(({ path }) => path)).toEqual(
      Array.from({ length: 100 }, (_, n) => `csv.${n + 4}.total_orders`),
    );
    expect(response.error?.message).toMatch(/and 297 more/);
    expect(await readRows('all-0')).toEqual([]);
  });

  it('refuses extra members that are too large together with the stored ones, naming the row', async () => {
    const body = { shop_id: 'full', date: '2026-01-01', a: 'x'.repeat(40_000) };
    await service.send('/api/shop-statistics', { body });
    const csv = `shop_id,date,extra\nfull,2026-01-02,\nfull,2026-01-01,"{""b"":""${'y'.repeat(40_000)}""}"\n`;
    const response = await importCsv(csv);
    expect([response.status, response.error?.problems[0]?.path]).toEqual([422, 'csv.3.extra']);
    // The value is within the limit as sent, but not as stored, with a space after each comma and colon.
    const membersJson = Array.from({ length: 6_000 }, (_, n) => `""k${1_000 + n}"":1`).join(',');
    const freshResponse = await importCsv(
      `shop_id,date,extra\nnew,2026-01-02,\nnew,2026-01-01,"{${membersJson}}"\n`,
    );
    expect([freshResponse.status, freshResponse.error?.problems[0]?.path]).toEqual([422, 'csv.3.extra']);
    expect(await readRows('full')).toHaveLength(1);
  });

  it('accepts 45,000 rows and refuses more than a mebibyte', async () => {
    const header = 'shop_id,date,total_orders\n';
    const firstDayMs = Date.UTC(1900, 0, 1);
    const makeLine = (n: number) =>
      `big,${new Date(firstDayMs + n * 86_400_000).toISOString().slice(0, 10)},${n}\n`;
    const csv = header + Array.from({ length: 45_000 }, (_, n) => makeLine(n)).join('');
    expect(csv.length).toBeLessThan(1_048_576);
    expect((await importCsv(csv)).data).toEqual({ inserted: 45_000, updated: 0, unchanged: 0 });
    const largerResponse = await importCsv(`${csv}${'\n'.repeat(1_048_577 - csv.length)}`);
    expect([largerResponse.status, largerResponse.error?.problems[0]?.path]).toEqual([422, 'csv']);
    // The limit counts bytes.
    const multibyteResponse = await importCsv(`shop_id,date\n${'é'.repeat(600_000)},2026-01-01\n`);
    expect(multibyteResponse.error?.problems.map((problem) => problem.path)).toEqual(['csv']);
  });
});

describe('the CSV export', () => {
  it('writes all chosen days, and changes nothing when imported again', async () => {
    const sentDay = {
      shop_id: '=1+1',
      date: '2026-01-01',
      ad_spend: 1.5,
      ad_click_rate: 3.25,
      'a,b': '"quoted"\n',
    };
    await service.send('/api/shop-statistics', { body: sentDay });
    const response = await download('statistics?kind=shop&shop_id=in&shop_id=%3D1%2B1&from=2026-01-01');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /attachment; filename="shop-statistics-.+\.csv"/,
    );
    // Unlike `response.text()`, this keeps the byte order mark, with which spreadsheet programs read the file as UTF-8.
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(text.split('\r\n')[0]).toMatch(/^\ufeff"shop_id","date","ad_impressions",.*,"extra"$/);
    // A spreadsheet program must not run a shop's identifier as a formula.
    expect(text).toContain(`"'=1+1","2026-01-01","","","3.25","1.5",`);
    expect((await importCsv(text)).data).toEqual({ inserted: 0, updated: 0, unchanged: 3 });
  });

  it('writes tens of thousands of rows, oldest first, and leaves none out', async () => {
    const text = await (await download('statistics?kind=shop&shop_id=big')).text();
    const days = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]!);
    expect(days).toHaveLength(45_000);
    expect(days).toEqual([...days].sort());
  });

  it.each([
    ['statistics', 'kind'],
    ['statistics?kind=order', 'kind'],
    ['statistics?kind=shop&kind=shop', 'kind'],
    ['statistics?kind=shop&from=yesterday', 'from'],
    ['statistics?kind=listing&listing_id=x', 'listing_id'],
    ['statistics?kind=listing&listing_id=', 'listing_id'],
    ['statistics?kind=listing&listing_id=0x7', 'listing_id'],
    ['statistics?kind=listing&listing_id=9007199254740992', 'listing_id'],
    ['statistics?kind=shop&listing_id=7', 'listing_id'],
    ['statistics?kind=shop&more=1', 'more'],
  ])('refuses %s, naming %s', async (query, path) => {
    const response = await download(query);
    const json = await response.json();
    expect([response.status, json.code, json.errors[0].path]).toEqual([422, 'validation_failed', path]);
  });

  it('works only for signed-in users, from our own pages, and with GET and HEAD', async () => {
    expect((await download('statistics?kind=shop', { Cookie: '' })).status).toBe(401);
    expect((await download('statistics?kind=shop', { Cookie: '', 'X-Api-Key': service.key })).status).toBe(
      401,
    );
    expect((await download('statistics?kind=shop', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await download('statistics?kind=shop', { Origin: 'https://evil.example' })).status).toBe(403);
    const postResponse = await download('statistics?kind=shop', {}, 'POST');
    expect([postResponse.status, postResponse.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await download('nothing')).status).toBe(404);
    expect((await download('statistics?kind=shop', {}, 'HEAD')).status).toBe(200);
  });

  it('is denied to a user who must set up a second factor first', async () => {
    const restrictedUser = await createSignedInUser(service, 'viewer');
    await service.database.query('UPDATE users SET two_factor_required = true WHERE id = $1', [
      restrictedUser.userId,
    ]);
    expect((await download('statistics?kind=shop', { Cookie: restrictedUser.cookie })).status).toBe(403);
  });

  it('releases its connection when the browser goes away halfway', async () => {
    // More data than the socket buffers hold, so that the download waits for its reader.
    await service.database.query(
      `INSERT INTO shop_daily_statistics (shop_id, date, extra)
       SELECT 'wide', date '2000-01-01' + n, jsonb_build_object('a', repeat('x', 20000))
         FROM generate_series(1, 2000) n`,
    );
    for (let n = 0; n < 6; n++) {
      const abortController = new AbortController();
      const response = await fetch(`${service.url}/api/downloads/statistics?kind=shop&shop_id=wide`, {
        headers: { Cookie: viewer.cookie },
        signal: abortController.signal,
      });
      await response.body!.getReader().read();
      abortController.abort();
    }
    const { bulkPool } = service.app.services.db;
    const countBusyConnections = () => bulkPool.waitingCount + bulkPool.totalCount - bulkPool.idleCount;
    await expect.poll(countBusyConnections, { timeout: 15_000 }).toBe(0);
    expect((await download('statistics?kind=shop&shop_id=in')).status).toBe(200);
  });
});
