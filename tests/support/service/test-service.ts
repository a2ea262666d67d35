import { Writable } from 'node:stream';
import type { Actor } from '../../../src/server/audit/service';
import { loadConfig } from '../../../src/server/config/config';
import { createLog } from '../../../src/server/core/log';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { type RunningApp, startApp } from '../../../src/server/runtime/app';
import { createShop } from '../../../src/server/shops/account-service';
import { createTestDatabase, type TestDatabase } from '../database/test-database';
import { findSecrets } from '../find-secrets';

/** The real service on a free port, with its own database, one shop and one key. */
export interface TestService {
  url: string;
  app: RunningApp;
  database: TestDatabase;
  shopId: number;
  key: string;
  /** Everything that the service has logged. */
  readLog(): string;
  /** Sends a request with the key; `body` is sent as JSON unless it is already text or bytes. */
  send(path: string, init?: SendOptions): Promise<TestResponse>;
  importRows(rows: unknown[], members?: Record<string, unknown>): Promise<TestResponse>;
  close(): Promise<void>;
}

interface SendOptions {
  method?: string;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  json: any;
}

/** The service's NEXTAUTH_SECRET in tests. */
export const TEST_SECRET = 'a secret that is only used in tests, of enough length';

export const TEST_ACTOR: Actor = { kind: 'system', name: 'test' };

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body);
}

/** Starts a service on a new database, or on an existing one. Closing the service drops the database in both cases. */
export async function startTestService(
  environment: Record<string, string> = {},
  existingDatabase?: TestDatabase,
): Promise<TestService> {
  const database = existingDatabase ?? (await createTestDatabase());
  const config = loadConfig({
    PORT: '0',
    LOG_LEVEL: 'info',
    // Tests send thousands of requests from one address, many of them without a credential on purpose.
    UNAUTHENTICATED_LIMIT_PER_MINUTE: '1000000',
    // Jobs could start at any moment; tests of a job run it themselves.
    BACKGROUND_JOBS: 'false',
    ...environment,
  });
  let logText = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logText += chunk;
      done();
    },
  });
  const log = createLog(config.LOG_LEVEL, sink);
  const app = await startApp({ config, databaseUrl: database.url, secret: TEST_SECRET, log, pages: null });
  const { db } = app.services;
  const { id: shopId } = await createShop(db, TEST_ACTOR, { name: 'Test shop', shopId: 'test-shop' });
  const { key } = await createApiKey(db, TEST_ACTOR, { name: 'test key', expiresAt: null });
  const url = `http://127.0.0.1:${app.port}`;

  const send: TestService['send'] = async (path, { method, headers, body } = {}) => {
    const allHeaders: Record<string, string | undefined> = {
      'X-Api-Key': key,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: Object.fromEntries(
        Object.entries(allHeaders).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      body: bodyOf(body),
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: response.status, headers: response.headers, text, json };
  };

  return {
    url,
    app,
    database,
    shopId,
    key,
    readLog: () => logText,
    send,
    importRows: (rows, members = {}) =>
      send('/api/orders/import', { body: { account_id: shopId, rows, ...members } }),
    async close() {
      await app.stop();
      await database.drop();
      // Almost every test service is closed here, so this checks almost all of their logs.
      const secrets = findSecrets(logText);
      if (secrets.length > 0) throw new Error(`The log contains secrets: ${secrets.join(', ')}`);
    },
  };
}
