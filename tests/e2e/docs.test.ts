import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, OWNER_EMAIL, openBackOffice } from '../support/browser/back-office';
import { measureHorizontalOverflow } from '../support/browser/browser';
import { screenshot } from '../support/browser/screenshot';

const execFileAsync = promisify(execFile);
const GUIDES = ['first-call', 'importing-orders', 'tracking-callbacks', 'statistics', 'errors', 'keys'];
const PAGES = [
  '/docs/api',
  ...GUIDES.map((slug) => `/docs/api/guides/${slug}`),
  '/docs/api/changelog',
  '/docs/api/reference',
];
/** What the examples of the guides print when they work. */
const EXPECTED_OUTPUT = new RegExp(`"success":true|\\[.*\\]\\s*$|"email":"${OWNER_EMAIL}"`);
/** Each page is loaded in the first colour scheme and then switched to the second. */
const DEVICES = [
  { device: 'laptop', width: 1280, first: 'light', second: 'dark' },
  { device: 'phone', width: 360, first: 'dark', second: 'light' },
] as const;

let backOffice: BackOffice;
/** The URL of the service. */
let url: string;
/** A personal token of the first owner. */
let accessToken: string;

beforeAll(async () => {
  backOffice = await openBackOffice('docs');
  ({ url } = backOffice.service);
  await backOffice.call('shops.create', { name: 'My shop' });
  ({ token: accessToken } = await backOffice.call('tokens.create', { name: 'Guide', expires_in_days: 1 }));
  expect(accessToken).toMatch(/^bdp_/);
});
afterAll(() => backOffice?.close());

/** Runs `work` on a page of the documentation, once it has loaded. Nobody is signed in. */
function withDocsPage(
  pathname: string,
  work: (page: Page) => Promise<void>,
  options: Parameters<BackOffice['withPage']>[2] = {},
): Promise<void> {
  return backOffice.withPage(
    null,
    async (page) => {
      await page.goto(url + pathname);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      await work(page);
    },
    { userEmail: null, ...options },
  );
}

describe.each(DEVICES)('on a $device', ({ device, width, first, second }) => {
  it.each(PAGES)(
    `%s displays in ${first} and then in ${second} without errors, requests to other hosts or sideways scrolling`,
    async (pathname) => {
      await withDocsPage(
        pathname,
        async (page) => {
          for (const colorScheme of [first, second]) {
            await page.emulateMedia({ colorScheme });
            const readRed = async () => {
              const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
              return Number(/\d+/.exec(background)?.[0] ?? 0);
            };
            if (colorScheme === 'dark') await expect.poll(readRed).toBeLessThan(64);
            else await expect.poll(readRed).toBeGreaterThan(192);
            await screenshot(page, `${pathname.slice(1).replaceAll('/', '-')}-${colorScheme}-${device}`);
            expect(await measureHorizontalOverflow(page)).toBe(0);
          }
        },
        { colorScheme: first, viewport: { width, height: 800 } },
      );
    },
  );
});

describe('the guides', () => {
  it.each(GUIDES)('%s has examples that work as written', async (slug) => {
    await withDocsPage(`/docs/api/guides/${slug}`, async (page) => {
      const examples = await page.locator('code[data-language=Shell]').allInnerTexts();
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const command = example
          .replaceAll('YOUR_KEY', backOffice.service.key!)
          .replaceAll('ACCESS_TOKEN', accessToken);
        const { stdout } = await execFileAsync('bash', ['-c', command]);
        expect(stdout, example).toMatch(EXPECTED_OUTPUT);
      }
    });
  });

  it('describe the 33 columns of an order row, and three fields that have only a name', async () => {
    await withDocsPage('/docs/api/guides/importing-orders', async (page) => {
      const columnRows = page.locator('.docs-table', { hasText: 'named only' }).locator('tbody tr');
      expect(await columnRows.count()).toBe(36);
      expect(await columnRows.locator('td:first-child').allInnerTexts()).toEqual([
        ...Array.from({ length: 33 }, (_, column) => String(column)),
        'named only',
        'named only',
        'named only',
      ]);
    });
  });

  it('are found under /docs too', async () => {
    const response = await fetch(`${url}/docs`);
    expect([response.status, new URL(response.url).pathname]).toEqual([200, '/docs/api']);
  });

  it('respond with 404 to an unknown name', async () => {
    expect((await fetch(`${url}/docs/api/guides/none`)).status).toBe(404);
  });
});

describe('the reference', () => {
  it('sends a request to this service only, and shows the response', async () => {
    await withDocsPage('/docs/api/reference#tag/product-codes', async (page) => {
      await page.getByRole('button', { name: /Test Request.*legos-cate/ }).click();
      const clientDialog = page.getByRole('dialog');
      await clientDialog
        .getByPlaceholder('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT')
        .fill(backOffice.service.key!);
      await Promise.all([
        page.waitForResponse(`${url}/api/legos-cate`),
        clientDialog.getByRole('button', { name: /^Send Request/ }).click(),
      ]);
      await clientDialog.getByText('"brick"').first().waitFor({ timeout: 20_000 });
      await screenshot(page, 'docs-api-reference-try');
      // withPage waits for animations to end, and something in the open dialog is always moving.
      await page.keyboard.press('Escape');
      await clientDialog.waitFor({ state: 'hidden' });
    });
  });

  it('has samples for the shell, Node.js, PHP and Python', async () => {
    await withDocsPage('/docs/api/reference', async (page) => {
      for (const language of ['Shell', 'Node.js', 'PHP', 'Python'])
        await page.getByRole('tab', { name: language }).first().waitFor();
    });
  });
});

describe('the machine-readable documents', () => {
  it('/docs/api/changelog.json lists versions with dates', async () => {
    const response = await fetch(`${url}/docs/api/changelog.json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toContainEqual(
      expect.objectContaining({ version: '0.1.0', date: '2026-11-21' }),
    );
  });

  it('/llms.txt lists every operation of the OpenAPI document, and links only to documents that exist', async () => {
    const response = await fetch(`${url}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    const { paths } = await (await fetch(`${url}/docs/api/openapi.json`)).json();
    const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const listedOperations = [...text.matchAll(/^- ((?:GET|POST) \/api\/[^:\s]*)/gm)].map(([, name]) => name);
    expect(listedOperations.toSorted()).toEqual(operations.toSorted());
    for (const [, pathname] of text.matchAll(/\]\(https?:\/\/[^/]+(\/[^)]+)\)/g))
      expect((await fetch(url + pathname)).status, pathname).toBe(200);
  });
});
