import path from 'node:path';
import type { QueryResultRow } from 'pg';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { expect, it, vi } from 'vitest';
import { findRunning } from '../../../src/server/db/embedded/embedded';
import { query } from '../database/embedded-databases';
import { makeTemporaryFolder, removeTemporaryFolder } from '../database/temporary-folder';
import { killServices, type ReadyService, startService } from '../service/service-process';
import { accessibilityFindings } from './accessibility';
import { settled, sidewaysScroll, still, watch } from './browser';
import { keepContexts } from './contexts';
import { launchBrowser } from './launch';
import { screenshot } from './screenshot';

/** People take it from their browser at the first sign-in. */
const TIME_ZONE = 'America/New_York';
/** How a page is opened unless a test says otherwise. */
const PAGE_OPTIONS: BrowserContextOptions = {
  locale: 'en-US',
  timezoneId: TIME_ZONE,
  viewport: { width: 1280, height: 800 },
  acceptDownloads: true,
  // The headless shell cannot ask for it, and a browser with windows does not ask who has just clicked.
  permissions: ['clipboard-read', 'clipboard-write'],
};
/** How long a page may still save after its test, and how often it is looked at, in milliseconds. */
const SAVING = { timeout: 20_000, interval: 50 };
export const OWNER = 'ann@example.com';
export const PASSWORD = 'correct horse battery staple';

type PageOptions = BrowserContextOptions & {
  /** Expected errors in the page's console. */
  except?: RegExp;
  /** A user other than the owner: created by `addPerson`. */
  as?: string;
};

/** The back office of a built service without data, and its signed-in owner. */
export interface Office {
  service: ReadyService;
  /** Calls a mutation as the owner's page would. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(procedure: string, input: unknown): Promise<any>;
  /** Calls a query as the owner's page would. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ask(procedure: string, input: unknown): Promise<any>;
  /** Runs a statement in the service's own database, for states that only time or a fault brings about. */
  inDatabase<Row extends QueryResultRow>(sql: string): Promise<Row[]>;
  addUser(email: string, role: string): Promise<void>;
  /** Posts JSON to an operation as a program does; must succeed. */
  send(path: string, body: unknown): Promise<void>;
  /**
   * Opens the page at a path, or a blank one that knows the user. At the end, it must have logged no unexpected error
   * and contacted no other host; what it was still saving is stored.
   */
  onPage(path: string | null, work: (page: Page) => Promise<void>, options?: PageOptions): Promise<void>;
  /** Calls an operation with any key, with or without a body. @returns the status */
  callApi(key: string, place: string, body?: unknown): Promise<number>;
  /** Goes to another page of the back office. */
  visit(page: Page, place: string): Promise<void>;
  close(): Promise<void>;
}

/** Takes a screenshot of the whole page, which must fit its width and pass axe-core. */
async function look(page: Page, file: string): Promise<void> {
  await screenshot(page, `admin-${file}`, { fullPage: true });
  expect(await sidewaysScroll(page), file).toBe(0);
  expect(await accessibilityFindings(page), file).toEqual([]);
}

/** Takes a screenshot of the same page on a wide screen, which it must fit too. */
async function lookWide(page: Page, file: string): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 1920, height: 1080 });
  await still(page);
  await screenshot(page, `admin-${file}-wide`);
  expect(await sidewaysScroll(page), `${file}, wide`).toBe(0);
  await page.setViewportSize(size);
}

/** Both languages and colour schemes, on a laptop, which stands for wide screens too, and on a phone. */
export const VIEWS = [
  { name: 'light-en', colorScheme: 'light', locale: 'en-US', width: 1280 },
  { name: 'dark-zh', colorScheme: 'dark', locale: 'zh-CN', width: 1280 },
  { name: 'light-zh-phone', colorScheme: 'light', locale: 'zh-CN', width: 360 },
  { name: 'dark-en-phone', colorScheme: 'dark', locale: 'en-US', width: 360 },
] as const;

/**
 * Tests that pages display correctly in both languages and colour schemes, on a laptop, a wide screen and a phone.
 *
 * @param pages called when a test begins: paths of the back office and the names of their screenshots
 */
export function itShowsInEveryView(
  office: () => Office,
  pages: () => readonly (readonly [place: string, file: string])[],
): void {
  it.each(VIEWS)(
    'every page shows in $name without sideways scroll or anything serious by axe',
    async ({ name, colorScheme, locale, width }) => {
      const { onPage, visit } = office();
      const view = { colorScheme, locale, viewport: { width, height: 800 } };
      await onPage(
        pages()[0]![0],
        async (page) => {
          for (const [place, file] of pages()) {
            await visit(page, place);
            await look(page, `${file}-${name}`);
            if (width > 1000) await lookWide(page, `${file}-${name}`);
          }
        },
        view,
      );
    },
  );
}

async function signIn(context: BrowserContext, base: string, email: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${base}/admin/account`);
  await settled(page);
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${base}/admin/account`);
  await page.close();
}

/**
 * @param name of the temporary folder
 * @param environment additional configuration of the service, such as its carrier's URL
 */
export async function openOffice(name: string, environment: Record<string, string> = {}): Promise<Office> {
  const folder = await makeTemporaryFolder(name);
  const service = await startService(
    { ...environment, DATA_DIR: path.join(folder, 'data'), ADMIN_EMAIL: OWNER, ADMIN_PASSWORD: PASSWORD },
    'build',
  );
  const browser: Browser = await launchBrowser();
  const contexts = keepContexts(browser);
  /** Signed-in users by e-mail address: each signs in only once. */
  const people = new Map<string, BrowserContext>();
  const userOf = async (email: string): Promise<BrowserContext> => {
    const known = people.get(email);
    if (known) return known;
    const context = await browser.newContext({ locale: 'en-US', timezoneId: TIME_ZONE });
    await signIn(context, service.url, email);
    people.set(email, context);
    return context;
  };
  const call: Office['call'] = async (procedure, input) => {
    const { request } = await userOf(OWNER);
    const response = await request.post(`${service.url}/api/trpc/${procedure}`, {
      data: input,
      headers: { Origin: service.url },
    });
    expect(response.status(), procedure).toBe(200);
    return (await response.json()).result.data;
  };
  const visit: Office['visit'] = async (page, place) => {
    await page.goto(`${service.url}/admin${place}`);
    await settled(page);
  };
  return {
    service,
    call,
    visit,
    send: async (place, body) => {
      const response = await fetch(service.url + place, {
        method: 'POST',
        headers: { 'X-Api-Key': service.key!, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.status, await response.text()).toBe(200);
    },
    ask: async (procedure, input) => {
      const { request } = await userOf(OWNER);
      const question = `input=${encodeURIComponent(JSON.stringify(input))}`;
      const response = await request.get(`${service.url}/api/trpc/${procedure}?${question}`);
      expect(response.status(), procedure).toBe(200);
      return (await response.json()).result.data;
    },
    callApi: async (key, place, body) => {
      const response = await fetch(service.url + place, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      await response.arrayBuffer();
      return response.status;
    },
    inDatabase: async (sql) => query((await findRunning(path.join(folder, 'data')))!.url, sql),
    addUser: async (email, role) => {
      await call('people.create', { email, role, password: PASSWORD });
    },
    async onPage(place, work, { except = /(?!)/, as = OWNER, ...options } = {}) {
      const context = await contexts.take(
        { ...PAGE_OPTIONS, ...options },
        await (await userOf(as)).cookies(),
      );
      try {
        const page = await context.newPage();
        const { errors, requests, saving } = watch(page);
        if (place !== null) await visit(page, place);
        await work(page);
        await still(page);
        // Many pages show a change before it is stored; left now, it might be stored after the next test has begun, or never.
        await vi.waitFor(() => expect([...saving].map((request) => request.url())).toEqual([]), SAVING);
        expect(errors.filter((error) => !except.test(error))).toEqual([]);
        expect(
          requests.filter((url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url)),
        ).toEqual([]);
      } catch (error) {
        await context.close();
        throw error;
      }
      await contexts.giveBack(context);
    },
    async close() {
      await browser.close();
      await service.stop();
      await killServices();
      await removeTemporaryFolder(folder);
    },
  };
}
