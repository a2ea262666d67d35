import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpiredRecords } from '../../../src/server/inbound/service';
import { createSignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
const RECORD_PATH = '/api/v1/marketplace';

beforeAll(async () => {
  service = await startTestService({ MAX_BODY_BYTES: '5000' });
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
    const admin = await createSignedInUser(service, 'admin');
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

it('the upkeep deletes records that are older than the configured number of days, and no others', async () => {
  await service.send(RECORD_PATH, { body: { old: 1 } });
  await service.database.query(
    `UPDATE inbound_records SET received_at = now() - interval '31 days' WHERE id % 2 = 0`,
  );
  const [{ count }] = (await service.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM inbound_records WHERE received_at < now() - interval '30 days'`,
  )) as [{ count: number }];
  expect(count).toBeGreaterThan(0);
  expect(await deleteExpiredRecords(service.app.services.db, 30)).toBe(count);
  expect(await deleteExpiredRecords(service.app.services.db, 30)).toBe(0);
  expect((await service.database.query('SELECT 1 FROM inbound_records')).length).toBeGreaterThan(0);
});

it('the events of a deleted callback are kept and no longer refer to its record, even on a cluster, which has no foreign key for this', async () => {
  await service.database.query(
    'ALTER TABLE tracking_events DROP CONSTRAINT IF EXISTS tracking_events_inbound_record_id_fkey',
  );
  const response = await service.send('/api/v1/tracks', {
    body: { event: 'x', data: { tracking_number: 'OLD1', status: 'in_transit' } },
  });
  expect(response.status).toBe(200);
  const readRecordIds = () =>
    service.database.query(`SELECT inbound_record_id FROM tracking_events WHERE tracking_number = 'OLD1'`);
  expect(await readRecordIds()).toEqual([{ inbound_record_id: expect.any(String) }]);
  await service.database.query(`UPDATE inbound_records SET received_at = now() - interval '31 days'`);
  expect(await deleteExpiredRecords(service.app.services.db, 30)).toBeGreaterThan(0);
  expect(await readRecordIds()).toEqual([{ inbound_record_id: null }]);
});
