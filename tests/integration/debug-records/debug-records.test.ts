import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;
const RECORD_PATH = '/api/v1/marketplace';

beforeAll(async () => {
  service = await startTestService({ MAX_BODY_BYTES: '5000' });
  admin = await createSignedInUser(service, 'admin');
});
afterAll(() => service.close());

async function readRecord(id: unknown) {
  const [row] = await service.database.query(
    `SELECT kind, method, query, headers, convert_from(body, 'UTF8') AS body, api_key_id, request_id FROM inbound_records WHERE id = $1`,
    [id],
  );
  return row!;
}

describe('/api/v1/marketplace', () => {
  it('masks in the body only text that looks like a credential, as the pages say', async () => {
    const body = { password: 'hunter2', note: 'Bearer 0123456789abcdef' };
    const { json } = await service.send(RECORD_PATH, { body });
    const record = await readRecord(json.data.record_id);
    expect(JSON.parse(record.body)).toEqual({ password: 'hunter2', note: 'Bearer [masked]' });
  });

  it('stores a backslash followed by u0000 as sent, in the query and in a header', async () => {
    const { json } = await service.send(`${RECORD_PATH}?a=${encodeURIComponent('\\u0000 \\\\u0000')}&b=%00`, {
      headers: { 'X-Note': 'a\\u0000b' },
    });
    expect(await readRecord(json.data.record_id)).toMatchObject({
      query: [
        ['a', '\\u0000 \\\\u0000'],
        ['b', '\ufffd'],
      ],
      headers: { 'x-note': 'a\\u0000b' },
    });
  });

  it('stores the method, query, body and headers of a POST, without credentials', async () => {
    const response = await service.send(`${RECORD_PATH}?a=1&a=2&b=`, {
      body: { any: ['thing', 1.5, null] },
      headers: {
        'X-Custom': 'kept',
        Authorization: 'Bearer secret-1',
        Cookie: 'session=secret-2',
        'X-Shop-Token': 'secret-3',
      },
    });
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ success: true, data: { record_id: expect.any(Number) } });
    const record = await readRecord(response.json.data.record_id);
    expect(record).toMatchObject({
      kind: 'marketplace',
      method: 'POST',
      query: [
        ['a', '1'],
        ['a', '2'],
        ['b', ''],
      ],
      body: '{"any":["thing",1.5,null]}',
      api_key_id: expect.any(Number),
      request_id: response.headers.get('x-request-id'),
    });
    expect(record.headers).toMatchObject({ 'x-custom': 'kept', 'content-type': 'application/json' });
    expect(JSON.stringify(record)).not.toMatch(/secret-|bdk_/);
  });

  it('stores a body byte for byte, even one that jsonb would refuse', async () => {
    const body = '{ "a":"\\u0000", "b":1.10, "a":2, "c":"\\ud800" }';
    const response = await service.send(RECORD_PATH, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect((await readRecord(response.json.data.record_id)).body).toBe(body);
  });

  it('stores a GET with any parameters, and with a body of any type if it has one, which the back office gets in base64', async () => {
    const response = await service.send(`${RECORD_PATH}?x=%00&y=%E4%BD%A0&y=2`);
    expect(await readRecord(response.json.data.record_id)).toMatchObject({
      method: 'GET',
      body: '',
      query: [
        ['x', '\ufffd'],
        ['y', '你'],
        ['y', '2'],
      ],
    });
    const id = await new Promise<number>((resolve, reject) => {
      const headers = { 'X-Api-Key': service.key, 'Content-Type': 'text/plain', 'Content-Length': '5' };
      request(service.url + RECORD_PATH, { method: 'GET', headers }, (res) => {
        let text = '';
        res.on('data', (chunk) => {
          text += chunk;
        });
        res.on('end', () => resolve(JSON.parse(text).data.record_id));
      })
        .on('error', reject)
        .end('hello');
    });
    expect((await readRecord(id)).body).toBe('hello');
    expect((await admin.call('records.one', { id: String(id) })).data).toMatchObject({
      body_encoding: 'base64',
      body: Buffer.from('hello').toString('base64'),
    });
  });

  it('accepts HEAD', async () => {
    const response = await service.send(RECORD_PATH, { method: 'HEAD' });
    expect([response.status, response.text]).toEqual([200, '']);
  });

  it('returns 401 without a key, and stores nothing', async () => {
    const countBefore = await service.database.query('SELECT count(*) FROM inbound_records');
    expect(
      (await service.send(RECORD_PATH, { body: { a: 1 }, headers: { 'X-Api-Key': undefined } })).status,
    ).toBe(401);
    expect(await service.database.query('SELECT count(*) FROM inbound_records')).toEqual(countBefore);
  });

  it('returns 413 for a body over the limit', async () => {
    expect((await service.send(RECORD_PATH, { body: { a: 'x'.repeat(6000) } })).status).toBe(413);
  });

  it.each(['[1]', 'null', '', '{'])('returns 422 for the body %j', async (body) => {
    const response = await service.send(RECORD_PATH, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(422);
  });
});

describe('a debug record', () => {
  it('is only for users who may read debug records, and shows body and query as they were received', async () => {
    const viewer = await createSignedInUser(service, 'viewer');
    const operator = await createSignedInUser(service, 'operator');
    const postResponse = await service.send(RECORD_PATH, { body: { secretive: true } });
    const getResponse = await service.send(`${RECORD_PATH}?a=1`, { method: 'GET' });
    const id = String(postResponse.json.data.record_id);
    const getId = String(getResponse.json.data.record_id);
    expect((await viewer.call('records.list', {})).status).toBe(403);
    expect((await operator.call('records.one', { id })).status).toBe(403);
    expect((await operator.call('callbacks.one', { id })).status).toBe(404);
    const { data } = await admin.call('records.list', { limit: 2 });
    expect(data.records).toMatchObject([
      { id: getId, kind: 'marketplace', outcome: null, tracking_numbers: [] },
      { id, kind: 'marketplace', outcome: null, tracking_numbers: [] },
    ]);
    expect((await admin.call('records.one', { id })).data).toMatchObject({
      outcome: null,
      body_encoding: 'text',
      body: '{"secretive":true}',
    });
    const storedGetRequest = (await admin.call('records.one', { id: getId })).data;
    expect(storedGetRequest).toMatchObject({ body_encoding: 'base64', body: '', query: [['a', '1']] });
  });
});

it('the list of records can also show callbacks, with their outcomes', async () => {
  const { json } = await service.send('/api/v1/tracks', {
    body: { event: 'x', data: { tracking_number: 'LISTED1', status: 'in_transit' } },
  });
  const id = String(json.data.record_id);
  const callback = { id, kind: 'tracks', outcome: 'understood', tracking_numbers: ['LISTED1'] };
  const { data } = await admin.call('records.list', { kind: 'tracks' });
  expect(data.records).toEqual([expect.objectContaining(callback)]);
  // When it was processed is only shown with the body.
  expect(data.records[0]).not.toHaveProperty('processed_at');
  expect((await admin.call('records.one', { id })).data).toMatchObject({
    ...callback,
    processed_at: expect.any(String),
  });
});
