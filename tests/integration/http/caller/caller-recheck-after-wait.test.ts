import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { revokeApiKey, updateApiKey } from '../../../../src/server/identity/keys/change-service';
import { createApiKey } from '../../../../src/server/identity/keys/service';
import { setUserActive } from '../../../../src/server/identity/users/service';
import { countWaitingStatements } from '../../../support/database/test-database';
import { commitDraft, csvOf, readPreview, uploadDraft } from '../../../support/service/import-drafts';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
/** A long timeout, for a busy machine. */
const WAIT_OPTIONS = { timeout: 20_000, interval: 20 };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const query = (sql: string, values?: unknown[]) => service.database.query(sql, values);

async function createKey() {
  const apiKey = await createApiKey(service.app.services.db, TEST_ACTOR, { name: 'waits', expiresAt: null });
  return { ...apiKey, headers: { 'X-Api-Key': apiKey.key, 'Content-Type': 'application/json' } };
}

const makeImportBody = (receiptId: string) =>
  JSON.stringify({ account_id: service.shopId, rows: [{ receipt_id: receiptId }] });

describe('a caller who has lost access before an import is stored, after a long wait', () => {
  /** Longer than a lookup of the caller counts as recent. */
  const WAIT_MS = 1_100;

  /** Runs `change` while the next import waits to be read. */
  const changeWhileWaiting = (change: () => Promise<unknown>) => {
    const { readImport } = service.app.services;
    return vi.spyOn(service.app.services, 'readImport').mockImplementationOnce(async (...args) => {
      await change();
      await sleep(WAIT_MS);
      return readImport(...args);
    });
  };

  it.each([
    ['a revoked key gets 401', 401, (id: number) => revokeApiKey(service.app.services.db, TEST_ACTOR, id)],
    [
      'a key without the required scope gets 403',
      403,
      (id: number) =>
        updateApiKey(service.app.services.db, TEST_ACTOR, id, { scopes: ['get_api_legos_sku'] }),
    ],
  ])('%s, and nothing is stored but the refusal in the history', async (_, status, change) => {
    const key = await createKey();
    const receiptId = `waits-${status}`;
    const readSpy = changeWhileWaiting(() => change(key.id));
    const sendImport = () =>
      fetch(`${service.url}/api/orders/import`, {
        method: 'POST',
        headers: { ...key.headers, 'Idempotency-Key': receiptId, 'X-Request-Id': receiptId },
        body: makeImportBody(receiptId),
      });
    expect((await sendImport()).status).toBe(status);
    readSpy.mockRestore();
    expect(await query('SELECT 1 FROM orders WHERE receipt_id = $1', [receiptId])).toEqual([]);
    expect(await query('SELECT outcome FROM imports WHERE request_id = $1', [receiptId])).toEqual([
      { outcome: 'rejected' },
    ]);
    if (status === 401) return;
    // The refusal is not stored for the Idempotency-Key: it depends on the key, not on the request.
    await updateApiKey(service.app.services.db, TEST_ACTOR, key.id, { scopes: [] });
    expect((await sendImport()).status).toBe(200);
  });

  it('a deactivated user gets 401, and the draft stays as it was', async () => {
    const user = await createSignedInUser(service, 'operator');
    const id = await uploadDraft(service, user, csvOf([{ receipt: 'waits-draft', transaction_id: 1 }]));
    await readPreview(user, id, 'new');
    const { sheets } = service.app.services;
    const checkSpy = vi.spyOn(sheets, 'check').mockImplementationOnce(async (storedSheet) => {
      await setUserActive(service.app.services.db, TEST_ACTOR, { id: user.userId }, false);
      await sleep(WAIT_MS);
      return sheets.check(storedSheet);
    });
    const { status } = await commitDraft(user, id);
    checkSpy.mockRestore();
    expect(status).toBe(401);
    expect(await query(`SELECT 1 FROM orders WHERE receipt_id = 'waits-draft'`)).toEqual([]);
    expect(await query('SELECT state FROM import_drafts WHERE id = $1', [id])).toEqual([{ state: 'ready' }]);
  });
});

describe('a request that waits for another with the same Idempotency-Key', () => {
  /** Stores an import that another request with the key is running, as that request does. */
  async function startOtherImport(receiptId: string) {
    const apiKey = await createKey();
    const idempotencyKey = randomUUID();
    const body = makeImportBody(receiptId);
    await query(
      `INSERT INTO idempotent_requests (api_key_id, operation, key, body_hash, leased_until)
       VALUES ($1, 'post_api_orders_import', $2, $3, now() + interval '1 hour')`,
      [apiKey.id, idempotencyKey, createHash('sha256').update(body).digest()],
    );
    const send = async () => {
      const response = await fetch(`${service.url}/api/orders/import`, {
        method: 'POST',
        headers: { ...apiKey.headers, 'Idempotency-Key': idempotencyKey },
        body,
      });
      return { status: response.status, json: await response.json() };
    };
    /** Sends the same request, and returns its response's promise once it waits for the other request. */
    const sendAndWait = async () => {
      const querySpy = vi.spyOn(service.app.services.db.pool, 'query');
      try {
        const responsePromise = send();
        await vi.waitFor(() => {
          const names = querySpy.mock.calls.map(([statement]) => (statement as { name?: string }).name);
          expect(names).toContain('idempotency.findCall');
        }, WAIT_OPTIONS);
        return { responsePromise };
      } finally {
        querySpy.mockRestore();
      }
    };
    /** Releases the call, as the other request does when it fails with 500. */
    const fail = () => query('DELETE FROM idempotent_requests WHERE key = $1', [idempotencyKey]);
    const succeed = () =>
      query(`UPDATE idempotent_requests SET status = 200, body = '{"success":true}' WHERE key = $1`, [
        idempotencyKey,
      ]);
    const findCalls = () => query('SELECT 1 FROM idempotent_requests WHERE key = $1', [idempotencyKey]);
    return { apiKey, idempotencyKey, send, sendAndWait, fail, succeed, findCalls };
  }
  const findOrders = (receiptId: string) => query('SELECT 1 FROM orders WHERE receipt_id = $1', [receiptId]);

  it('imports nothing if its key was revoked meanwhile and the other request fails', async () => {
    const other = await startOtherImport('907');
    const { responsePromise } = await other.sendAndWait();
    await revokeApiKey(service.app.services.db, TEST_ACTOR, other.apiKey.id);
    await other.fail();
    const { status, json } = await responsePromise;
    expect([status, json.code]).toEqual([401, 'unauthorized']);
    expect([await findOrders('907'), await other.findCalls()]).toEqual([[], []]);
  });

  it('does not get the stored response if its key was revoked meanwhile', async () => {
    const other = await startOtherImport('908');
    const { responsePromise } = await other.sendAndWait();
    await revokeApiKey(service.app.services.db, TEST_ACTOR, other.apiKey.id);
    await other.succeed();
    expect((await responsePromise).status).toBe(401);
  });

  it('gets 403 if its key lost the scope meanwhile, and imports when it is repeated with the scope restored', async () => {
    const other = await startOtherImport('909');
    const { responsePromise } = await other.sendAndWait();
    const setScopes = (scopes: string[]) =>
      updateApiKey(service.app.services.db, TEST_ACTOR, other.apiKey.id, { scopes });
    await setScopes(['get_api_legos_sku']);
    await other.fail();
    expect((await responsePromise).status).toBe(403);
    expect(await findOrders('909')).toEqual([]);
    await setScopes([]);
    expect((await other.send()).status).toBe(200);
    expect(await findOrders('909')).toHaveLength(1);
  });

  it('imports nothing if its key was revoked while the other request, whose process then died, held a lock', async () => {
    const other = await startOtherImport('910');
    const lockingClient = new pg.Client({ connectionString: service.database.url });
    await lockingClient.connect();
    await lockingClient.query('BEGIN');
    await lockingClient.query(
      `UPDATE idempotent_requests SET leased_until = now() - interval '1 second' WHERE key = $1`,
      [other.idempotencyKey],
    );
    const responsePromise = other.send();
    await expect.poll(() => countWaitingStatements(service.database), WAIT_OPTIONS).toBe(1);
    await revokeApiKey(service.app.services.db, TEST_ACTOR, other.apiKey.id);
    // Shorter waits in the database are not noticed.
    await lockingClient.query('SELECT pg_sleep(0.2)');
    await lockingClient.query('COMMIT');
    await lockingClient.end();
    expect((await responsePromise).status).toBe(401);
    expect(await findOrders('910')).toEqual([]);
  });
});
