import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';
import { launchBrowser, watch } from './browser';
import { killServices, type ReadyService, startService } from './service-process';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder';

const OWNER = 'ann@example.com';
const PASSWORD = 'correct horse battery staple';

type PageOptions = BrowserContextOptions & {
  /** Errors of the page's console that the test brings about. */
  except?: RegExp;
  /** Somebody else than the owner: made by `addPerson`. */
  as?: string;
};

/** The back office of a built service with nothing in it yet, and an owner who is signed in. */
export interface Office {
  service: ReadyService;
  /** Calls a mutation as the owner's page would. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(procedure: string, input: unknown): Promise<any>;
  addPerson(email: string, role: string): Promise<void>;
  /** Opens a page; at the end it must have said no error but those expected, and asked no other host. */
  onPage(place: string, work: (page: Page) => Promise<void>, options?: PageOptions): Promise<void>;
  close(): Promise<void>;
}

async function signIn(context: BrowserContext, base: string, email: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${base}/admin/account`, { waitUntil: 'networkidle' });
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${base}/admin/account`);
  await page.close();
}

/**
 * @param name of the temporary folder
 * @param environment what the service is configured with besides, such as where its carrier is
 */
export async function openOffice(name: string, environment: Record<string, string> = {}): Promise<Office> {
  const folder = await makeTemporaryFolder(name);
  const service = await startService(
    { ...environment, DATA_DIR: path.join(folder, 'data'), ADMIN_EMAIL: OWNER, ADMIN_PASSWORD: PASSWORD },
    'build',
  );
  const browser: Browser = await launchBrowser();
  /** Whoever has signed in, by e-mail address: nobody does twice. */
  const people = new Map<string, BrowserContext>();
  const personOf = async (email: string): Promise<BrowserContext> => {
    const known = people.get(email);
    if (known) return known;
    const context = await browser.newContext({ locale: 'en-US' });
    await signIn(context, service.url, email);
    people.set(email, context);
    return context;
  };
  const call: Office['call'] = async (procedure, input) => {
    const { request } = await personOf(OWNER);
    const response = await request.post(`${service.url}/api/trpc/${procedure}`, {
      data: input,
      headers: { Origin: service.url },
    });
    expect(response.status(), procedure).toBe(200);
    return (await response.json()).result.data;
  };
  return {
    service,
    call,
    addPerson: async (email, role) => {
      await call('people.create', { email, role, password: PASSWORD });
    },
    async onPage(place, work, { except = /(?!)/, as = OWNER, ...options } = {}) {
      const context = await browser.newContext({
        locale: 'en-US',
        viewport: { width: 1280, height: 800 },
        acceptDownloads: true,
        ...options,
        storageState: await (await personOf(as)).storageState(),
      });
      try {
        const page = await context.newPage();
        const { errors, requests } = watch(page);
        await page.goto(`${service.url}/admin${place}`, { waitUntil: 'networkidle' });
        await work(page);
        expect(errors.filter((error) => !except.test(error))).toEqual([]);
        expect(
          requests.filter((url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url)),
        ).toEqual([]);
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      await service.stop();
      await killServices();
      await removeTemporaryFolder(folder);
    },
  };
}
