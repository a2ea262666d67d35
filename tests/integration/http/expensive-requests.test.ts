import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { killServices, type ReadyService, startService } from '../../support/process/service-process';

/**
 * Sends expensive requests to a service in its own process. Measures how long its event loop is blocked compared with a quiet
 * period, whether other clients still get responses, and how large the responses are.
 */

const MILLION = 1_000_000;
/** How many times longer than in a quiet period the event loop may be blocked. */
const MAX_SLOWDOWN = 10;
/** The noise of a busy machine, in milliseconds; shorter delays mean nothing. */
const NOISE_MS = 200;
const MAX_RESPONSE_LENGTH = 20_000;
/** How long the other client waits between a response and its next request. Without a pause it would keep a processor busy. */
const PAUSE_MS = 20;

let folder: string;
let service: ReadyService;
/** The longest delay of the event loop in a quiet period. */
let quietDelayMs: number;
let measurementCount = 0;

interface ReceivedResponse {
  status: number;
  text: string;
  cookies: string;
}

function send(
  method: string,
  urlPath: string,
  headers: Record<string, string>,
  body?: Uint8Array,
): Promise<ReceivedResponse> {
  // One connection per request, because the service closes the connection of a body that it refuses. Keep-alive is on because Node
  // would otherwise close the connection after the response, even if part of the body has not been sent.
  const agent = new Agent({ keepAlive: true });
  return new Promise<ReceivedResponse>((resolve, reject) => {
    const outgoingRequest = request(service.url + urlPath, {
      method,
      agent,
      headers: { ...headers, ...(body ? { 'Content-Length': body.length } : {}) },
    });
    outgoingRequest.on('error', reject);
    outgoingRequest.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      const cookies = (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
      response.on('end', () => resolve({ status: response.statusCode!, text, cookies }));
    });
    outgoingRequest.end(body);
  }).finally(() => agent.destroy());
}

const makeJsonHeaders = () => ({
  'X-Api-Key': service.key!,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
});

const manyMembersBody = Buffer.from(
  `{${Array.from({ length: 3.8 * MILLION }, (_, n) => `"m${1e8 + n}":1`).join(',')}}`,
);

/** Returns the longest delay of the service's event loop since the last call, in milliseconds. */
async function readLongestDelay(): Promise<number> {
  measurementCount++;
  service.signal('SIGUSR2');
  const line = new RegExp(`loop delay ${measurementCount}: ([\\d.]+) ms`);
  await service.waitForOutput(line);
  return Number(line.exec(service.stdout())![1]);
}

/**
 * Runs `work` while another client requests a list again and again. Returns the result of `work`, how many responses the client
 * got, and the longest delay of the event loop.
 */
async function runAlongsideClient<T>(
  work: () => Promise<T>,
): Promise<{ result: T; responseCount: number; delayMs: number }> {
  await readLongestDelay();
  let isDone = false;
  let responseCount = 0;
  const clientPromise = (async () => {
    while (!isDone) {
      const { status } = await send('GET', '/api/legos-sku', { 'X-Api-Key': service.key! });
      expect(status).toBe(200);
      responseCount++;
      await sleep(PAUSE_MS);
    }
  })();
  try {
    const result = await work();
    const delayMs = await readLongestDelay();
    isDone = true;
    // Waits for any request in flight, so that it counts too.
    await clientPromise;
    return { result, responseCount, delayMs };
  } finally {
    isDone = true;
    await clientPromise;
  }
}

async function expectNoSlowdown<T>(work: () => Promise<T>): Promise<T> {
  const { result, responseCount, delayMs } = await runAlongsideClient(work);
  expect(responseCount).toBeGreaterThan(0);
  expect(delayMs).toBeLessThan(MAX_SLOWDOWN * Math.max(quietDelayMs, NOISE_MS));
  return result;
}

beforeAll(async () => {
  folder = await makeTemporaryFolder('expensive');
  service = await startService(
    {
      DATA_DIR: path.join(folder, 'data'),
      ADMIN_EMAIL: 'owner@example.com',
      ADMIN_PASSWORD: 'correct horse battery staple',
      // The other client sends up to fifty requests a second.
      RATE_LIMIT_PER_MINUTE: '10000000',
    },
    'measured',
  );
  const body = Buffer.from(JSON.stringify({ shop_id: 'a', date: '2026-01-02', note: 'x'.repeat(60_000) }));
  const measureQuietPeriod = () =>
    runAlongsideClient(async () => {
      for (let n = 0; n < 50; n++) await send('POST', '/api/shop-statistics', makeJsonHeaders(), body);
    });
  // The first run includes compilation.
  await measureQuietPeriod();
  quietDelayMs = (await measureQuietPeriod()).delayMs;
});
afterAll(async () => {
  await service?.stop();
  await killServices();
  if (folder) await removeTemporaryFolder(folder);
});

it('batches of tools/list requests without a key do not hold up other clients', async () => {
  const listToolsRequest = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const batchBody = Buffer.from(JSON.stringify(Array(100).fill(listToolsRequest)));
  const { 'X-Api-Key': _, ...headers } = makeJsonHeaders();
  const responses = await expectNoSlowdown(async () => {
    const receivedResponses: ReceivedResponse[] = [];
    for (let n = 0; n < 20; n++) receivedResponses.push(await send('POST', '/mcp', headers, batchBody));
    return receivedResponses;
  });
  for (const { status, text } of responses)
    expect([status, text.length < MAX_RESPONSE_LENGTH]).toEqual([400, true]);
});

it('a tool call with as many arguments as fit into a message does not hold up other clients', async () => {
  const args = Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [n.toString(36), 1]));
  const params = { name: 'get_api_v1_tracking_text', arguments: args };
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const { status, text } = await expectNoSlowdown(() => send('POST', '/mcp', makeJsonHeaders(), body));
  expect(status).toBe(200);
  const [{ text: error }] = JSON.parse(text).result.content;
  expect(JSON.parse(error)).toMatchObject({
    code: 'validation_failed',
    message: 'arguments: must have at most 1000 entries',
  });
});

describe.each(['[', ']:'])('tens of megabytes of "%s"', (text) => {
  it.each([
    ['sent over native tRPC to debug.storePost', '/api/trpc/debug.storePost', 66, 413],
    ['sent over native tRPC to the import', '/api/trpc/orders.import', 60, 422],
    ['sent to the import', '/api/orders/import', 60, 422],
    ['sent as an MCP message', '/mcp', 60, 413],
  ])('%s do not hold up other clients', async (_name, urlPath, megabytes, expectedStatus) => {
    const body = Buffer.alloc(megabytes * MILLION, text);
    const { status, text: responseText } = await expectNoSlowdown(() =>
      send('POST', urlPath, makeJsonHeaders(), body),
    );
    expect([status, responseText.length < MAX_RESPONSE_LENGTH]).toEqual([expectedStatus, true]);
  });
});

it.each([
  ['sent over native tRPC to debug.storePost', '/api/trpc/debug.storePost', 413],
  ['sent over native tRPC to the import', '/api/trpc/orders.import', 422],
  ['sent to the import', '/api/orders/import', 422],
  ['sent as an MCP call of the import', '/mcp', 200],
])(
  '57 MB of unknown members %s do not hold up other clients',
  async (_name, urlPath, expectedStatus) => {
    const makeCall = (text: string) =>
      Buffer.from(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"post_api_orders_import","arguments":${text}}}`,
      );
    const body = urlPath === '/mcp' ? makeCall(manyMembersBody.toString('latin1')) : manyMembersBody;
    const { status, text } = await expectNoSlowdown(() => send('POST', urlPath, makeJsonHeaders(), body));
    expect([status, text.length < MAX_RESPONSE_LENGTH]).toEqual([expectedStatus, true]);
  },
  180_000,
);

// Reading so many members keeps a worker thread busy for seconds, but nobody else waits for it.
it('57 MB of unknown members in rows that are as large as rows may be do not hold up other clients', async () => {
  const rows = Array.from({ length: 38 }, (_, row) => {
    const members = Array.from({ length: 99_999 }, (_, n) => `"m${1e8 + row * 99_999 + n}":1`);
    return `{"receipt_id":"",${members.join(',')}}`;
  });
  const body = Buffer.from(`{"account_id":1,"rows":[${rows.join(',')}]}`);
  const { status, text } = await expectNoSlowdown(() =>
    send('POST', '/api/orders/import', makeJsonHeaders(), body),
  );
  expect([status, text.length < MAX_RESPONSE_LENGTH]).toEqual([422, true]);
  // Each row lacks its order number and has too many unknown members, and there is no such shop.
  expect(JSON.parse(text).error_count).toBe(2 * rows.length + 1);
}, 180_000);

/** Signs the owner in as the sign-in page does. Returns the cookies. */
async function signIn(): Promise<string> {
  const csrfResponse = await send('GET', '/api/auth/csrf', {});
  const form = new URLSearchParams({
    csrfToken: JSON.parse(csrfResponse.text).csrfToken,
    email: 'owner@example.com',
    password: 'correct horse battery staple',
    json: 'true',
  });
  const headers = { Cookie: csrfResponse.cookies, 'Content-Type': 'application/x-www-form-urlencoded' };
  const { cookies } = await send(
    'POST',
    '/api/auth/callback/credentials',
    headers,
    Buffer.from(String(form)),
  );
  return cookies;
}

it('queries that repeat one parameter as often as the header limit allows do not hold up other clients', async () => {
  const headers = { Cookie: await signIn(), 'Sec-Fetch-Site': 'same-origin' };
  const downloadOrders = () => send('GET', `/api/downloads/orders?format=csv${'&a'.repeat(7_500)}`, headers);
  const responses = await expectNoSlowdown(() => Promise.all(Array.from({ length: 8 }, downloadOrders)));
  for (const { status, text } of responses)
    expect([status, text.length < MAX_RESPONSE_LENGTH]).toEqual([422, true]);
});

it('content types as long as the header limit allows do not hold up other clients', async () => {
  const headers = { ...makeJsonHeaders(), 'Content-Type': `application/json${' '.repeat(15_000)}x` };
  const postDay = () => send('POST', '/api/shop-statistics', headers, Buffer.from('{}'));
  const responses = await expectNoSlowdown(() => Promise.all(Array.from({ length: 40 }, postDay)));
  for (const { status, text } of responses)
    expect([status, text.length < MAX_RESPONSE_LENGTH]).toEqual([415, true]);
});

it('two workbooks with 200,000 unclosed cells each, sent together with a large import, do not hold up other clients', async () => {
  const makeXmlPart = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  const documentNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packageNamespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const workbook = zipSync({
    '[Content_Types].xml': makeXmlPart('<Types/>'),
    '_rels/.rels': makeXmlPart(
      `<Relationships xmlns="${packageNamespace}"><Relationship Id="r1" Type="${documentNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': makeXmlPart(
      `<workbook xmlns:r="${documentNamespace}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': makeXmlPart(
      `<Relationships xmlns="${packageNamespace}"><Relationship Id="r1" Type="${documentNamespace}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': makeXmlPart(`<worksheet><sheetData><row r="1">${'<c '.repeat(200_000)}`),
  });
  const Cookie = await signIn();
  const headers = { Cookie, Origin: service.url, 'Content-Type': 'application/octet-stream' };
  const uploadWorkbook = () =>
    send('POST', '/api/uploads/orders?account_id=1&file_name=a.xlsx', headers, workbook);
  const rows = Array.from({ length: 5_000 }, (_, n) => ({ receipt_id: `r${n}`, quantity: 1 }));
  const largeImportBody = Buffer.from(JSON.stringify({ account_id: 1, rows }));
  const responses = await expectNoSlowdown(() =>
    Promise.all([
      uploadWorkbook(),
      uploadWorkbook(),
      send('POST', '/api/orders/import', makeJsonHeaders(), largeImportBody),
    ]),
  );
  for (const { status, text } of responses) {
    expect(status, text).toBeGreaterThanOrEqual(200);
    expect(status, text).toBeLessThan(500);
    expect(text.length).toBeLessThan(MAX_RESPONSE_LENGTH);
  }
});
