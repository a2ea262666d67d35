import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;
let admin: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
  admin = await createSignedInUser(service, 'admin');
});
afterAll(() => service.close());

const sendCallback = async (data: unknown): Promise<string> => {
  const { json } = await service.send('/api/v1/tracks', { body: { event: 'tracking', data } });
  return String(json.data.record_id);
};
const makeEntry = (tracking_number: string, status: string, time?: string) => ({
  tracking_number,
  status,
  time,
});
const deleteEvents = (number: string) =>
  service.database.query(
    `WITH deleted_events AS (DELETE FROM tracking_events WHERE tracking_number = $1)
     UPDATE tracking_numbers SET status = 'not_found', sub_status = NULL, status_at = NULL WHERE tracking_number = $1`,
    [number],
  );
const readEvents = (number: string) =>
  service.database.query(
    `SELECT t.*, w.status AS current_status, w.status_at FROM tracking_events t JOIN tracking_numbers w USING (tracking_number)
      WHERE tracking_number = $1 ORDER BY t.identity`,
    [number],
  );

describe('the list of callbacks', () => {
  it('shows how each callback was understood, what it changed, or why it changed nothing', async () => {
    await service.importRows([{ receipt_id: 'known', tracking_number: 'KNOWN1' }]);
    const goodId = await sendCallback(makeEntry('KNOWN1', 'delivered', '2026-08-28T10:00:00Z'));
    const badId = await sendCallback({ hello: 1 });
    const { data } = await viewer.call('callbacks.list', { limit: 2 });
    expect(data.records).toEqual([
      expect.objectContaining({
        id: badId,
        outcome: 'nothing',
        tracking_numbers: [],
        error: { reason: 'callback.noForm', values: {} },
      }),
      expect.objectContaining({
        id: goodId,
        outcome: 'understood',
        form: 'plain',
        tracking_numbers: ['KNOWN1'],
        updated_orders: 1,
        new_events: 1,
        api_key: 'test key',
        error: null,
      }),
    ]);
    const callback = (await viewer.call('callbacks.one', { id: goodId })).data;
    expect(JSON.parse(callback.body)).toMatchObject({ data: { tracking_number: 'KNOWN1' } });
    expect(callback).toMatchObject({
      body_encoding: 'text',
      event_count: 1,
      events: [{ status: 'delivered' }],
    });
    expect(JSON.stringify(callback.headers)).not.toContain(service.key);
  });

  it('can be filtered by outcome, day in New York and number, and shows every callback once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++)
      ids.push(await sendCallback(makeEntry('PAGE 1', 'in_transit', `2026-08-1${n}T10:00:00Z`)));
    // All have the same time of receipt, so only their ids tell them apart. 03:30 UTC is still the previous day in New York.
    await service.database.query(
      `UPDATE inbound_records SET received_at = '2026-03-02T03:30:00Z' WHERE id = ANY($1::bigint[])`,
      [ids],
    );
    const filter = { tracking_number: 'page1', from: '2026-03-01', to: '2026-03-01' };
    const foundIds: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await viewer.call('callbacks.list', { ...filter, limit: 2, cursor });
      foundIds.push(...data.records.map((record: { id: string }) => record.id));
      cursor = data.next ?? undefined;
    } while (cursor !== undefined);
    expect(foundIds).toEqual(ids.toReversed());
    expect(
      (await viewer.call('callbacks.list', { ...filter, from: '2026-03-02', to: '2026-03-02' })).data,
    ).toEqual({
      records: [],
      next: null,
    });
    await service.database.query('UPDATE inbound_records SET processed_at = NULL WHERE id = $1', [ids[0]]);
    const { data: failedCallbacks } = await viewer.call('callbacks.list', { ...filter, outcome: 'failed' });
    expect(failedCallbacks.records.map((record: { id: string }) => record.id)).toEqual([ids[0]]);
    expect((await viewer.call('callbacks.list', { cursor: 'x' })).status).toBe(422);
  });

  it('is empty for an unknown number, but an unknown callback results in 404', async () => {
    expect((await viewer.call('callbacks.list', { tracking_number: 'NOBODY' })).data.records).toEqual([]);
    expect((await viewer.call('callbacks.one', { id: '999999999' })).status).toBe(404);
  });
});

describe('a replay', () => {
  let callbackId: string;
  beforeEach(async () => {
    await service.importRows([{ receipt_id: 'replay', tracking_number: 'REPLAY1' }]);
    callbackId = await sendCallback(makeEntry('REPLAY1', 'out_for_delivery', '2026-08-28T10:00:00Z'));
  });

  it('changes nothing if nothing was lost, not even for bodies without a time', async () => {
    const undatedId = await sendCallback(makeEntry('REPLAY1', 'in_transit'));
    const eventsBefore = await readEvents('REPLAY1');
    const { data } = await operator.call('callbacks.replay', { ids: [callbackId, undatedId, callbackId] });
    expect(data.records).toHaveLength(2);
    for (const record of data.records)
      expect(record).toMatchObject({
        found: true,
        new_events: 0,
        updated_orders: 0,
        changes: [],
        error: null,
      });
    expect(await readEvents('REPLAY1')).toEqual(eventsBefore);
  });

  it('changes nothing for a body with a credential, and events never contain the credential', async () => {
    const entry = {
      ...makeEntry('SECRET1', 'in_transit', '2026-08-28T10:00:00Z'),
      location: 'Basic transportation',
    };
    const secret = 'Bearer dXNlcjpwYXNzd29yZA==';
    const ids = [await sendCallback({ ...entry, description: `Signed in with ${secret}` })];
    ids.push(await sendCallback({ ...makeEntry('SECRET1', 'in_transit'), description: secret }));
    const eventsBefore = await readEvents('SECRET1');
    expect(eventsBefore.map(({ description, location }) => [description, location])).toEqual(
      expect.arrayContaining([
        ['Signed in with Bearer [masked]', 'Basic transportation'],
        ['Bearer [masked]', null],
      ]),
    );
    const { data } = await operator.call('callbacks.replay', { ids });
    expect(data.records.map((record: { new_events: number }) => record.new_events)).toEqual([0, 0]);
    expect(await readEvents('SECRET1')).toEqual(eventsBefore);
  });

  it('has the same result as the arrival of the callback, even if masking has made the body invalid', async () => {
    const entry = makeEntry('BROKEN1', 'in_transit', '2026-08-28T10:00:00Z');
    const brokenId = await sendCallback({ ...entry, description: 'otpauth://a"b' });
    const error = { reason: 'body.json', values: {} };
    expect((await operator.call('callbacks.one', { id: brokenId })).data).toMatchObject({
      error,
      events: [],
    });
    const { data } = await operator.call('callbacks.replay', { ids: [brokenId] });
    expect(data.records).toMatchObject([{ new_events: 0, error }]);
  });

  it('restores what was lost, and reports it for each callback', async () => {
    const laterId = await sendCallback(makeEntry('REPLAY1', 'delivered', '2026-08-29T10:00:00Z'));
    await deleteEvents('REPLAY1');
    const { data } = await operator.call('callbacks.replay', { ids: [callbackId, laterId, '999999999'] });
    const change = { tracking_number: 'REPLAY1', before: 'not_found', after: 'delivered' };
    expect(data.records).toEqual([
      expect.objectContaining({ id: callbackId, new_events: 1, changes: [change] }),
      expect.objectContaining({ id: laterId, new_events: 1, changes: [change] }),
      expect.objectContaining({
        id: '999999999',
        found: false,
        error: { reason: 'callback.gone', values: {} },
      }),
    ]);
    expect(await readStoredOrder(service.database, 'replay')).toMatchObject({ tracking_status: 'delivered' });
    const callback = (await operator.call('callbacks.one', { id: callbackId })).data;
    expect(callback).toMatchObject({
      replays: 1,
      result: { new_events: expect.any(Number), replay: { new_events: 1 } },
    });
    const [entry] = (await admin.call('audit.list', { action: 'callbacks.replay', limit: 1 })).data.entries;
    expect(entry).toMatchObject({
      actor: operator.email,
      after: { ids: [callbackId, laterId], new_events: 2 },
    });
  });

  it('finishes a callback whose first processing was interrupted', async () => {
    await deleteEvents('REPLAY1');
    await service.database.query(
      'UPDATE inbound_records SET result = NULL, processed_at = NULL WHERE id = $1',
      [callbackId],
    );
    await operator.call('callbacks.replay', { ids: [callbackId] });
    const { data } = await operator.call('callbacks.one', { id: callbackId });
    expect(data).toMatchObject({ outcome: 'understood', matched_orders: 1, new_events: 1 });
  });

  it('runs safely at the same time as other replays and callbacks, and counts each event once', async () => {
    const ids: string[] = [];
    for (let n = 10; n < 30; n++)
      ids.push(await sendCallback(makeEntry('CROWD1', 'in_transit', `2026-08-${n}T10:00:00Z`)));
    await deleteEvents('CROWD1');
    const responses = await Promise.all([
      operator.call('callbacks.replay', { ids }),
      operator.call('callbacks.replay', { ids: ids.toReversed() }),
      sendCallback(makeEntry('CROWD1', 'delivered', '2026-09-01T10:00:00Z')),
      operator.call('callbacks.replay', { ids: ids.slice(5, 15) }),
    ]);
    const newEventCount = responses
      .flatMap((response) => (typeof response === 'string' ? [] : response.data.records))
      .reduce((sum: number, record: { new_events: number }) => sum + record.new_events, 0);
    expect(newEventCount).toBe(20);
    expect((await readEvents('CROWD1')).map((event) => event.current_status)).toEqual(
      Array(21).fill('delivered'),
    );
  });

  it('accepts 1 to 500 callbacks, and is denied to viewers', async () => {
    const tooManyIds = Array.from({ length: 501 }, (_, n) => String(n + 1));
    expect((await operator.call('callbacks.replay', { ids: tooManyIds })).status).toBe(422);
    expect((await operator.call('callbacks.replay', { ids: [] })).status).toBe(422);
    expect((await operator.call('callbacks.replay', { ids: tooManyIds.slice(1) })).status).toBe(200);
    expect((await viewer.call('callbacks.replay', { ids: [callbackId] })).status).toBe(403);
    expect(
      (await viewer.call('callbacks.replayUnmapped', { source: 'plain', provider_status: 'x' })).status,
    ).toBe(403);
  });
});
