import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { measureHorizontalOverflow } from '../../support/browser/browser';
import { screenshot } from '../../support/browser/screenshot';

let backOffice: BackOffice;
let url: string;

beforeAll(async () => {
  backOffice = await openBackOffice('start-page');
  ({ url } = backOffice.service);
});
afterAll(() => backOffice?.close());

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)(
  'the start page displays in %s at %i px without errors, requests to other hosts or sideways scrolling',
  async (colorScheme, width) => {
    await backOffice.withPage(
      null,
      async (page) => {
        await page.goto(url, { waitUntil: 'networkidle' });
        expect(await page.locator('h1').innerText()).toBe('Brickdesk');
        expect(await page.locator('pre').first().innerText()).toContain('npm run -s cli -- account create');
        await screenshot(page, `start-${colorScheme}-${width}`, { fullPage: true });
        expect(await measureHorizontalOverflow(page)).toBe(0);
        const [backgroundColor, textColor] = await page.evaluate(() => {
          const style = getComputedStyle(document.body);
          return [style.backgroundColor, style.color];
        });
        expect(backgroundColor).not.toBe(textColor);
      },
      { userEmail: null, colorScheme, viewport: { width, height: 800 } },
    );
  },
);

it('the start page leads to the sign-in page', async () => {
  await backOffice.withPage(
    null,
    async (page) => {
      await page.goto(url, { waitUntil: 'networkidle' });
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.waitForURL(`${url}/admin/sign-in?callbackUrl=%2Fadmin`);
    },
    { userEmail: null },
  );
});

it('links and commands on the start page can be reached by keyboard', async () => {
  await backOffice.withPage(
    null,
    async (page) => {
      await page.goto(url, { waitUntil: 'networkidle' });
      const reachedTags = new Set<string>();
      for (let n = 0; n < 12; n++) {
        await page.keyboard.press('Tab');
        reachedTags.add(await page.evaluate(() => document.activeElement?.tagName ?? ''));
      }
      expect([...reachedTags]).toEqual(expect.arrayContaining(['A', 'PRE']));
    },
    { userEmail: null },
  );
});

it('an unknown path gets a 404, and the page says that it does not exist', async () => {
  await backOffice.withPage(
    null,
    async (page) => {
      const response = await page.goto(`${url}/no/such/page`);
      expect(response?.status()).toBe(404);
      expect(await page.locator('h1').innerText()).toBe('This page does not exist');
    },
    { userEmail: null, allowedErrors: /status of 404 .*\/no\/such\/page$/ },
  );
});

it('the start page has security headers, and its scripts need a nonce that differs in every response', async () => {
  const firstResponse = await fetch(url);
  const secondResponse = await fetch(url);
  const policy = firstResponse.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']+'/);
  expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
  expect(secondResponse.headers.get('content-security-policy')).not.toBe(policy);
  const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
  const scripts = (await firstResponse.text()).match(/<script[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(0);
  for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  expect(firstResponse.headers.get('x-frame-options')).toBe('DENY');
  expect(firstResponse.headers.get('x-powered-by')).toBeNull();
});

it('a page request with a malformed router header is refused with an error in the API’s format, without a stack trace', async () => {
  for (const stateHeader of ['%', '{}', '[[[[', `["",{},null,${'['.repeat(5_000)}`]) {
    const response = await fetch(`${url}/admin/sign-in`, {
      headers: { RSC: '1', 'Next-Router-State-Tree': encodeURIComponent(stateHeader) },
    });
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      422,
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(text)).toMatchObject({
      success: false,
      request_id: response.headers.get('x-request-id'),
      errors: [{ path: 'Next-Router-State-Tree' }],
    });
    expect(text).not.toMatch(/\bat .+:\d+|node_modules/);
  }
});
