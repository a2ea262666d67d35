import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureHorizontalOverflow, type PageActivity, recordActivity } from '../support/browser/browser';
import { type ContextPool, createContextPool } from '../support/browser/contexts';
import { launchBrowser } from '../support/browser/launch';
import { screenshot } from '../support/browser/screenshot';
import { makeTemporaryFolder, removeTemporaryFolder } from '../support/database/temporary-folder';
import { runCommand } from '../support/service/run-command';
import { killServices, type ReadyService, startService } from '../support/service/service-process';

const execFileAsync = promisify(execFile);
const GUIDES = ['first-call', 'importing-orders', 'tracking-callbacks', 'statistics', 'errors', 'keys'];
const PAGES = [
  '/docs/api',
  ...GUIDES.map((slug) => `/docs/api/guides/${slug}`),
  '/docs/api/changelog',
  '/docs/api/reference',
];
const VIEWS = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'light phone', colorScheme: 'light', width: 360 },
  { name: 'dark phone', colorScheme: 'dark', width: 360 },
] as const;

let folder: string;
let service: ReadyService;
let browser: Browser;
let contextPool: ContextPool;
/** A personal token of the first owner. */
let accessToken: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder('docs');
  const DATA_DIR = path.join(folder, 'data');
  service = await startService({ DATA_DIR }, 'withPages');
  await runCommand(['account', 'create', '--name', 'My shop'], { DATA_DIR });
  const tokenCommand = [
    'token',
    'create',
    '--email',
    'owner@localhost',
    '--name',
    'Guide',
    '--expires',
    '1d',
    '--json',
  ];
  accessToken = (await runCommand(tokenCommand, { DATA_DIR })).json.token;
  expect(accessToken).toMatch(/^bdp_/);
  browser = await launchBrowser();
  contextPool = createContextPool(browser);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await killServices();
  if (folder) await removeTemporaryFolder(folder);
});

async function openPage(
  pathname: string,
  view: (typeof VIEWS)[number] = VIEWS[0],
): Promise<PageActivity & { page: Page }> {
  const { colorScheme, width } = view;
  const context = await contextPool.acquire({ colorScheme, viewport: { width, height: 800 } }, []);
  const page = await context.newPage();
  const activity = recordActivity(page);
  await page.goto(service.url + pathname);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  return { page, ...activity };
}

function findExternalUrls(requestUrls: readonly string[]): string[] {
  return requestUrls.filter((url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url));
}

describe.each(VIEWS)('in the $name view', (view) => {
  it.each(PAGES)(
    '%s displays without errors, requests to other hosts or sideways scrolling',
    async (pathname) => {
      const { page, errors, requestUrls } = await openPage(pathname, view);
      const name = `${pathname.slice(1).replaceAll('/', '-')}-${view.name.replace(' ', '-')}`;
      await screenshot(page, name);
      expect(errors).toEqual([]);
      expect(findExternalUrls(requestUrls)).toEqual([]);
      expect(await measureHorizontalOverflow(page)).toBe(0);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [red = 0] = /\d+/.exec(background)?.map(Number) ?? [];
      if (view.colorScheme === 'dark') expect(red).toBeLessThan(64);
      else expect(red).toBeGreaterThan(192);
      await contextPool.release(page.context());
    },
  );
});

describe('the guides', () => {
  it.each(GUIDES)('%s has examples that work as written', async (slug) => {
    const { page } = await openPage(`/docs/api/guides/${slug}`);
    const examples = await page.locator('code[data-language=Shell]').allInnerTexts();
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const command = example.replaceAll('YOUR_KEY', service.key!).replaceAll('ACCESS_TOKEN', accessToken);
      const { stdout } = await execFileAsync('bash', ['-c', command]);
      expect(stdout, example).toMatch(/"success":true|\[.*\]\s*$|"email":"owner@localhost"/);
    }
    await contextPool.release(page.context());
  });

  it('describe the 33 columns of an order row, and three fields that have only a name', async () => {
    const { page } = await openPage('/docs/api/guides/importing-orders');
    const columnRows = page.locator('.docs-table', { hasText: 'named only' }).locator('tbody tr');
    expect(await columnRows.count()).toBe(36);
    expect(await columnRows.locator('td:first-child').allInnerTexts()).toEqual([
      ...Array.from({ length: 33 }, (_, column) => String(column)),
      'named only',
      'named only',
      'named only',
    ]);
    await contextPool.release(page.context());
  });

  it('are found under /docs too', async () => {
    const response = await fetch(`${service.url}/docs`);
    expect([response.status, new URL(response.url).pathname]).toEqual([200, '/docs/api']);
  });

  it('respond with 404 to an unknown name', async () => {
    expect((await fetch(`${service.url}/docs/api/guides/none`)).status).toBe(404);
  });
});

describe('the reference', () => {
  it('sends a request to this service only, and shows the response', async () => {
    const { page, errors, requestUrls } = await openPage('/docs/api/reference#tag/product-codes');
    await page.getByRole('button', { name: /Test Request.*legos-cate/ }).click();
    const clientDialog = page.getByRole('dialog');
    await clientDialog.getByPlaceholder('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT').fill(service.key!);
    await clientDialog.getByRole('button', { name: /^Send Request/ }).click();
    await clientDialog.getByText('"brick"').first().waitFor({ timeout: 20_000 });
    await screenshot(page, 'docs-api-reference-try');
    expect(requestUrls).toContain(`${service.url}/api/legos-cate`);
    expect(findExternalUrls(requestUrls)).toEqual([]);
    expect(errors).toEqual([]);
    await contextPool.release(page.context());
  });

  it('has samples for the shell, Node.js, PHP and Python', async () => {
    const { page } = await openPage('/docs/api/reference');
    for (const language of ['Shell', 'Node.js', 'PHP', 'Python'])
      await page.getByRole('tab', { name: language }).first().waitFor();
    await contextPool.release(page.context());
  });
});

describe('the machine-readable documents', () => {
  it('/docs/api/changelog.json lists versions with dates', async () => {
    const response = await fetch(`${service.url}/docs/api/changelog.json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toContainEqual(
      expect.objectContaining({ version: '0.1.0', date: '2026-11-21' }),
    );
  });

  it('/llms.txt lists every operation of the OpenAPI document, and links only to documents that exist', async () => {
    const response = await fetch(`${service.url}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    const { paths } = await (await fetch(`${service.url}/docs/api/openapi.json`)).json();
    const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listedOperations = [...text.matchAll(/^- ((?:GET|POST) \/api\/[^:\s]*)/gm)].map(([, name]) => name);
    expect(listedOperations.toSorted()).toEqual(operations.toSorted());
    for (const [, pathname] of text.matchAll(/\]\(https?:\/\/[^/]+(\/[^)]+)\)/g))
      expect((await fetch(service.url + pathname)).status, pathname).toBe(200);
  });
});
