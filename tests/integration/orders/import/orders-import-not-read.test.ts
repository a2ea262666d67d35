import { createHash } from 'node:crypto';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest';
import { ServiceError } from '../../../../src/server/core/errors/errors';
import { createReason } from '../../../../src/server/core/errors/reason';
import type { ImportInput } from '../../../../src/server/orders/import/prepare';
import { importOrders } from '../../../../src/server/orders/import/service';
import { createImportReader } from '../../../../src/server/orders/reading/reader';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ IMPORT_MAX_ROWS: '500', IMPORT_MAX_BODY_BYTES: '300000' });
});
afterAll(() => service.close());

describe('an import that takes too long to read', () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ receipt_id: `slow-${index}` }));
  const body = JSON.stringify({ account_id: 1, rows });
  const slowReader = createImportReader({ maxRows: 500, maxBytes: 300_000, threads: 1, timeLimitMs: 1 });
  afterAll(() => slowReader.close());
  const findLastImport = async () =>
    (
      await service.database.query(
        `SELECT id::text, outcome, rows, errors, content_hash FROM imports i ORDER BY i.id DESC LIMIT 1`,
      )
    )[0];

  it('is recorded as rejected, with the hash of its body', async () => {
    const { services } = service.app;
    const readSpy = vi.spyOn(services, 'readImport').mockImplementation(slowReader.read);
    const endSpy = vi.spyOn(services, 'onImportEnd');
    const response = await service.send('/api/orders/import', { body });
    readSpy.mockRestore();
    expect(response.status).toBe(422);
    expect(response.json).toMatchObject({
      error_count: 1,
      errors: [{ path: 'rows', message: expect.stringMatching(/^takes longer than 1 s/) }],
    });
    expect(await findLastImport()).toMatchObject({
      outcome: 'rejected',
      rows: 0,
      errors: 1,
      content_hash: createHash('sha256').update(body).digest('hex'),
    });
    expect(endSpy).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ source: 'api', outcome: 'rejected', rowCount: 0 }),
    );
    endSpy.mockRestore();
  });

  it('runs again if it is sent again with the same Idempotency-Key', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => ({
      receipt_id: `again-${n}`,
      title: 'x'.repeat(200),
    }));
    const send = () =>
      service.send('/api/orders/import', {
        body: { account_id: service.shopId, rows },
        headers: { 'Idempotency-Key': 'takes-too-long-once' },
      });
    const readSpy = vi.spyOn(service.app.services, 'readImport').mockImplementation(slowReader.read);
    expect((await send()).json.message).toMatch(/^rows: takes longer/);
    readSpy.mockRestore();
    expect((await send()).json.data).toMatchObject({ new_orders: 500 });
  });
});

describe('an import whose rows have not all been read is recorded, with the hash of its body,', () => {
  const body = JSON.stringify({ account_id: 1, rows: [{ receipt_id: 'unread' }] });
  const takeOver = (input: ImportInput) => {
    const { buffer } = (input as { body: Uint8Array<ArrayBuffer> }).body;
    structuredClone(buffer, { transfer: [buffer] });
  };
  const readHistory = async (requestId: string) => {
    const imports = await service.database.query(
      `SELECT outcome, rows, errors, failure ->> 'reason' AS reason, content_hash FROM imports WHERE request_id = $1`,
      [requestId],
    );
    const [{ content_hash: hash, ...entry } = {}] = imports;
    expect([imports.length, hash]).toEqual([1, createHash('sha256').update(body).digest('hex')]);
    return entry;
  };
  let readSpy: MockInstance<typeof service.app.services.readImport>;
  beforeEach(() => {
    readSpy = vi.spyOn(service.app.services, 'readImport');
  });
  afterEach(() => readSpy.mockRestore());

  it('if its client disconnects', async () => {
    const client = new AbortController();
    readSpy.mockImplementation((input, signal) => {
      takeOver(input);
      client.abort();
      return new Promise((_, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason));
      });
    });
    const headers = {
      'X-Api-Key': service.key,
      'X-Request-Id': 'disconnects',
      'Content-Type': 'application/json',
    };
    const request = { method: 'POST', headers, body, signal: client.signal };
    await expect(fetch(`${service.url}/api/orders/import`, request)).rejects.toThrow();
    await vi.waitFor(
      async () =>
        expect(await readHistory('disconnects')).toEqual({
          outcome: 'rejected',
          rows: 0,
          errors: 0,
          reason: 'import.disconnected',
        }),
      { timeout: 20_000 },
    );
  });

  it('if reading it fails, which is the 500 with the fixed message', async () => {
    readSpy.mockImplementation(async (input) => {
      takeOver(input);
      throw new Error('The thread has crashed.');
    });
    const response = await service.send('/api/orders/import', {
      body,
      headers: { 'X-Request-Id': 'crashes' },
    });
    expect(response.status).toBe(500);
    expect(response.json).toMatchObject({ success: false, message: '导入失败', code: 'import_failed' });
    expect(await readHistory('crashes')).toEqual({
      outcome: 'failed',
      rows: 0,
      errors: 0,
      reason: 'import.logged',
    });
  });
});

it('an import whose caller cannot be checked again, because the database is unreachable, fails with the fixed message', async () => {
  const cause = new Error('Connection terminated unexpectedly');
  const unavailable = new ServiceError('service_unavailable', createReason('service.noDatabase'), { cause });
  const body = Buffer.from(
    JSON.stringify({ account_id: service.shopId, rows: [{ receipt_id: 'unchecked' }] }),
  );
  const origin = { source: 'api', actor: 'test', requestId: 'unchecked' } as const;
  const hooks = { onLocked: () => Promise.reject(unavailable) };
  await expect(importOrders(service.app.services, origin, { body }, hooks)).rejects.toMatchObject({
    code: 'import_failed',
    message: '导入失败',
    reason: { reason: 'import.noDatabase' },
  });
  expect(await service.database.query(`SELECT outcome FROM imports WHERE request_id = 'unchecked'`)).toEqual([
    { outcome: 'failed' },
  ]);
});
