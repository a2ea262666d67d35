import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { QueryResultRow } from 'pg';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { expect, vi } from 'vitest';
import { TIME_ZONE_COOKIE } from '../../../src/server/identity/users/schema';
import { makeTemporaryFolder, removeTemporaryFolder } from '../database/temporary-folder';
import { createTestDatabase } from '../database/test-database';
import { killServices } from '../process/service-process';
import { type FileService, startSharedService } from '../process/shared-service';
import { recordActivity, waitForAnimations, waitUntilSettled } from './browser';
import { openWorkerBrowser } from './page-pool';

/** Users get the time zone of their browser when they first sign in. */
const TIME_ZONE = 'America/New_York';
/** The default options of a page. */
const PAGE_OPTIONS = {
  locale: 'en-US',
  timezoneId: TIME_ZONE,
  viewport: { width: 1280, height: 800 },
  colorScheme: 'light',
  reducedMotion: 'no-preference',
  acceptDownloads: true,
  // Granted in advance, because the headless shell cannot prompt for them.
  permissions: ['clipboard-read', 'clipboard-write'],
} satisfies BrowserContextOptions;
/** How long a page may take to finish saving after its test, and how often this is checked, in milliseconds. */
const SAVE_POLLING = { timeout: 20_000, interval: 50 };
export const OWNER_EMAIL = 'ann@example.com';
export const PASSWORD = 'correct horse battery staple';

type PageOptions = BrowserContextOptions & {
  /** Matches the errors that the page may log. */
  allowedErrors?: RegExp;
  /** The e-mail address of a user other than the owner, created by `addUser`; null if nobody is signed in. */
  userEmail?: string | null;
};

/** The back office of a production build with an empty database, and its signed-in owner. */
export interface BackOffice {
  service: FileService;
  /** Calls a mutation as the owner's page would. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  call(procedure: string, input: unknown): Promise<any>;
  /** Calls a query as the owner's page would. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  query(procedure: string, input: unknown): Promise<any>;
  /** Runs a statement in the service's database, for states that only time or a fault can bring about. */
  queryDatabase<Row extends QueryResultRow>(sql: string): Promise<Row[]>;
  addUser(email: string, role: string): Promise<void>;
  /** Posts JSON to an operation with the API key. Fails unless the response is 200. */
  send(path: string, body: unknown): Promise<void>;
  /**
   * Runs `work` on the page at a path or, if that is null, on a page outside the back office with the user's cookies. Then waits
   * until the page has saved everything, and fails if it logged an unexpected error or contacted another host.
   */
  withPage(path: string | null, work: (page: Page) => Promise<void>, options?: PageOptions): Promise<void>;
  /** Calls an operation with any key: by POST with a body, by GET without one. Returns the status. */
  callApi(key: string, pathname: string, body?: unknown): Promise<number>;
  /** Goes to another page of the back office. */
  visit(page: Page, pathname: string): Promise<void>;
  close(): Promise<void>;
}

/** Signs a user in as the sign-in page does, but without loading it. Tests of signing in use the page itself. */
async function signIn(context: BrowserContext, base: string, email: string): Promise<void> {
  await context.addCookies([{ name: TIME_ZONE_COOKIE, value: TIME_ZONE, url: base }]);
  const csrfResponse = await context.request.get(`${base}/api/auth/csrf`);
  const { csrfToken } = await csrfResponse.json();
  const response = await context.request.post(`${base}/api/auth/callback/credentials`, {
    form: { email, password: PASSWORD, csrfToken, json: 'true' },
    headers: { Origin: base },
  });
  // A refused token or password also has a response, which names the sign-in page and what is wrong.
  const { pathname, search } = new URL((await response.json()).url);
  expect([response.status(), pathname + search], `signing in ${email}`).toEqual([200, '/']);
}

/**
 * Starts a built service with its own database on the port of the worker's browser, so a test file may have only one at a time.
 *
 * @param name part of the name of the temporary folder
 * @param environment additional configuration of the service, such as the URL of its carrier or the prefix of its pages
 */
export async function openBackOffice(
  name: string,
  environment: Record<string, string> = {},
): Promise<BackOffice> {
  const folder = await makeTemporaryFolder(name);
  const database = await createTestDatabase();
  const { browser, pagePool, port } = await openWorkerBrowser();
  const service = await startSharedService({
    ...environment,
    PORT: String(port),
    DATABASE_URL: database.url,
    NEXTAUTH_SECRET: randomBytes(32).toString('hex'),
    DATA_DIR: path.join(folder, 'data'),
    ADMIN_EMAIL: OWNER_EMAIL,
    ADMIN_PASSWORD: PASSWORD,
  });
  /** The browser contexts of signed-in users by e-mail address. Each user signs in only once. */
  const signedInContexts = new Map<string, BrowserContext>();
  const openSignedInContext = async (email: string): Promise<BrowserContext> => {
    const existingContext = signedInContexts.get(email);
    if (existingContext) return existingContext;
    const context = await browser.newContext();
    await signIn(context, service.url, email);
    signedInContexts.set(email, context);
    return context;
  };
  const call: BackOffice['call'] = async (procedure, input) => {
    const { request } = await openSignedInContext(OWNER_EMAIL);
    const response = await request.post(`${service.url}/api/trpc/${procedure}`, {
      data: input,
      headers: { Origin: service.url },
    });
    expect(response.status(), procedure).toBe(200);
    return (await response.json()).result.data;
  };
  const baseUrl = service.url + (environment.ADMIN_PREFIX ?? '/admin');
  const visit: BackOffice['visit'] = async (page, pathname) => {
    await page.goto(baseUrl + pathname);
    await waitUntilSettled(page);
  };
  return {
    service,
    call,
    visit,
    send: async (pathname, body) => {
      const response = await fetch(service.url + pathname, {
        method: 'POST',
        headers: { 'X-Api-Key': service.key!, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.status, await response.text()).toBe(200);
    },
    query: async (procedure, input) => {
      const { request } = await openSignedInContext(OWNER_EMAIL);
      const search = `input=${encodeURIComponent(JSON.stringify(input))}`;
      const response = await request.get(`${service.url}/api/trpc/${procedure}?${search}`);
      expect(response.status(), procedure).toBe(200);
      return (await response.json()).result.data;
    },
    callApi: async (key, pathname, body) => {
      const response = await fetch(service.url + pathname, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      await response.arrayBuffer();
      return response.status;
    },
    queryDatabase: (sql) => database.query(sql),
    addUser: async (email, role) => {
      await call('people.create', { email, role, password: PASSWORD });
    },
    async withPage(pathname, work, { allowedErrors = /(?!)/, userEmail = OWNER_EMAIL, ...options } = {}) {
      const page = await pagePool.acquire(
        { ...PAGE_OPTIONS, ...options },
        userEmail === null ? [] : await (await openSignedInContext(userEmail)).cookies(),
      );
      try {
        const { errors, requestUrls, pendingWrites } = recordActivity(page);
        if (pathname !== null) await visit(page, pathname);
        await work(page);
        await waitForAnimations(page);
        // Many pages show a change before it is saved. Closed now, they might save it during the next test, or never.
        await vi.waitFor(
          () => expect([...pendingWrites].map((request) => request.url())).toEqual([]),
          SAVE_POLLING,
        );
        expect(errors.filter((error) => !allowedErrors.test(error))).toEqual([]);
        expect(
          requestUrls.filter((url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url)),
        ).toEqual([]);
        await pagePool.release(page);
      } catch (error) {
        await page.context().close();
        throw error;
      }
    },
    async close() {
      try {
        await Promise.all([...signedInContexts.values()].map((context) => context.close()));
        await service.stop();
      } catch (error) {
        // The next test file needs the port.
        await killServices();
        throw error;
      }
      await database.drop();
      await removeTemporaryFolder(folder);
    },
  };
}
