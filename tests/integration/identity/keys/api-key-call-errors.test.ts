import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listKeyCalls } from '../../../../src/server/identity/keys/call-view-service';
import { createApiKey } from '../../../../src/server/identity/keys/service';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let apiKey: { id: number; key: string };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.close());
beforeEach(async () => {
  apiKey = await createApiKey(service.app.services.db, TEST_ACTOR, { name: 'made', expiresAt: null });
});

const send = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.send(path, { body, headers: { 'X-Api-Key': apiKey.key, ...headers } });

/** Returns the log of this test's key, oldest first. */
async function readLog() {
  await service.app.services.keyCalls.flush();
  const query = { limit: 100, errorsOnly: false, days: 7 };
  return (await listKeyCalls(service.app.services.db, apiKey.id, query)).calls.toReversed();
}

describe('the request log of a key', () => {
  it('contains refused calls with the error response, without personal data', async () => {
    const rowWithPersonalData = {
      receipt_id: '1',
      sale_date: 'Jane "JJ" Doe <jane@example.com> +1 212 555 0199',
    };
    await send('/api/orders/import', { account_id: service.shopId, rows: [rowWithPersonalData] });
    await send('/api/no-such-path');
    await send('/api/v1/tracking-text?tracking_number=LXJANEDOE');
    await send('/api/v1/tracking-text?jane_doe=1');
    const [badCall, ...otherCalls] = await readLog();
    expect(badCall).toMatchObject({
      status: 422,
      error: { code: 'validation_failed', problems: [{ path: 'rows.0.sale_date' }] },
    });
    expect(otherCalls).toMatchObject([
      { status: 404, error: { reason: 'tracking.unknownNumber', values: { number: '…' } } },
      {
        status: 422,
        error: { problems: [{ path: '…', reason: expect.stringMatching(/^body\.unknownField/) }] },
      },
    ]);
    // A request id, which the service makes up of random digits, may contain 0199.
    const callsWithoutIds = [badCall!, ...otherCalls].map(({ request_id: _, ...call }) => call);
    expect(JSON.stringify(callsWithoutIds)).not.toMatch(/Jane|JJ|Doe|example|0199/i);
  });

  it('names `extra` if unknown fields take up too much, but not the fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`jane${n}`, 'x'.repeat(9_000)]));
    const rows = [{ receipt_id: '1', ...fields }];
    await send('/api/orders/import', { account_id: service.shopId, rows });
    const [call] = await readLog();
    expect(call!.error).toMatchObject({ problems: [{ path: 'rows.0.extra', values: { count: 65_536 } }] });
    expect(JSON.stringify(call)).not.toContain('jane');
  });

  it('contains nothing that the caller wrote, whatever was refused', async () => {
    const exportFormat = { account_id: service.shopId, excel_format: true };
    const bodies: [path: string, body: unknown][] = [
      // Each of these is a caller's text in another place: a member's name, a value, an index, a row, a header.
      ['/api/orders/import', { account_id: 98_765_432, rows: [{ receipt_id: '1' }], 'Jane: Doe': 1 }],
      ['/api/orders/import', { account_id: service.shopId, rows: [{ quantity: "Jane's", 'Doe."JJ"': {} }] }],
      ['/api/orders/import', { ...exportFormat, rows: [['Jane', 'Doe'], [98_765_432]] }],
      ['/api/orders/import', { account_id: ['Jane'], rows: 'Doe', 98765432: 1 }],
      ['/api/shop-statistics', { shop_id: 'JaneDoe', date: 'Jane', 'Doe.98765432': { Jane: 1 } }],
      [
        '/api/shop-statistics',
        { shop_id: 'test-shop', date: '2026-08-22', Jane: { 'Doe\ud800': 98_765_432 } },
      ],
      ['/api/v1/tracks', { event: 'Jane', data: { tracking_number: 'Doe', status: 'JJ', time: '98765432' } }],
      ['/api/marketplace/message', { shop_name: 'Jane', messages: [{ sender: 'Doe', content: 98_765_432 }] }],
    ];
    const statuses: number[] = [];
    for (const [path, body] of bodies) statuses.push((await send(path, body)).status);
    for (const path of ['logistics?order=98765432', 'logistics?Jane=1', 'v1/tracking-text?order_id=Doe'])
      statuses.push((await send(`/api/${path}`)).status);
    const calls = await readLog();
    expect(calls.map(({ status }) => status)).toEqual(statuses);
    expect(statuses.filter((status) => status >= 400).length).toBeGreaterThanOrEqual(9);
    expect(JSON.stringify(calls.map(({ error }) => error))).not.toMatch(/Jane|Doe|JJ|98765432/i);
  });

  it('contains a replayed error without its reason, which is in the log of the first call', async () => {
    const sendImport = (requestId: string) =>
      send(
        '/api/orders/import',
        { account_id: service.shopId, rows: [], Jane: 1 },
        { 'X-Request-Id': requestId, 'Idempotency-Key': 'same' },
      );
    const responses = [await sendImport('first'), await sendImport('second')];
    expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(responses[1]!.json).toEqual(responses[0]!.json);
    expect(await readLog()).toMatchObject([
      {
        request_id: 'first',
        status: 422,
        error: { code: 'validation_failed', problems: [{ path: 'rows' }, { path: '…' }] },
      },
      {
        request_id: 'second',
        status: 422,
        error: { code: 'validation_failed', reason: 'request.replayed', values: {}, problems: [] },
      },
    ]);
  });
});
