import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRunningServer } from '../../../src/server/db/embedded';
import { measureHorizontalOverflow, recordActivity } from '../../support/browser/browser';
import { createBrowserSession, signIn } from '../../support/browser/browser-session';
import { launchBrowser } from '../../support/browser/launch';
import { screenshot } from '../../support/browser/screenshot';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { runCommand } from '../../support/process/run-command';
import { killServices, type ReadyService, startService } from '../../support/process/service-process';
import { findFreePort } from '../../support/service/free-port';

const OWNER = { email: 'owner@example.com', password: 'the password of an owner' };
const axeSource = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let folder: string;
let dataDir: string;
let service: ReadyService;
let issuer: string;
let browser: Browser;
let appServer: Server;
let callbackUrl: string;
let clientId: string;
/** The paths and queries of the requests that the client received. */
const receivedUrls: string[] = [];
/** The forms that were posted to the client. */
const receivedForms: URLSearchParams[] = [];

beforeAll(async () => {
  folder = await makeTemporaryFolder('consent');
  dataDir = path.join(folder, 'data');
  const [port, clientPort] = [await findFreePort(), await findFreePort()];
  issuer = `http://localhost:${port}`;
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(port),
    APP_URL: issuer,
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
  };
  service = await startService(environment);
  appServer = createServer(async (req, res) => {
    receivedUrls.push(req.url ?? '');
    if (req.method === 'POST') receivedForms.push(new URLSearchParams(await text(req)));
    res.setHeader('Content-Type', 'text/html').end('<h1>Back at the client</h1>');
  }).listen(clientPort, 'localhost');
  await once(appServer, 'listening');
  callbackUrl = `http://localhost:${clientPort}/callback`;
  const commandResult = await runCommand(
    ['oauth-client', 'create', '--name', 'Warehouse <b>screen</b>', '--redirect-uri', callbackUrl, '--json'],
    environment,
  );
  clientId = commandResult.json.id;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  appServer?.closeAllConnections();
  appServer?.close();
  await service?.stop();
  await killServices();
  if (folder) await removeTemporaryFolder(folder);
});

function buildAuthorizeUrl(): string {
  const url = new URL('/oauth/authorize', issuer);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callbackUrl,
    response_type: 'code',
    scope: 'openid profile email user:read',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'the state',
    // Asks even a user who has allowed access before.
    prompt: 'consent',
  }).toString();
  return url.href;
}

/** Runs `work` in a browser in which the owner is signed in. */
async function withSignedInPage<T>(
  options: Parameters<Browser['newContext']>[0],
  work: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const session = createBrowserSession(issuer);
  const response = await signIn(session, OWNER);
  if (response.status !== 200) throw new Error(response.text);
  const context = await browser.newContext(options);
  await context.addCookies([...session.cookies].map(([name, value]) => ({ name, value, url: issuer })));
  try {
    return await work(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)(
  'the consent page displays in %s at %i px without errors, requests to other hosts, sideways scrolling or axe findings',
  async (colorScheme, width) => {
    await withSignedInPage(
      { colorScheme, viewport: { width, height: 700 }, bypassCSP: true },
      async (page) => {
        const activity = recordActivity(page);
        await page.goto(buildAuthorizeUrl(), { waitUntil: 'networkidle' });
        expect(await page.locator('h1').innerText()).toBe(
          'Warehouse <b>screen</b> wants to use your Brickdesk account',
        );
        await screenshot(page, `consent-${colorScheme}-${width}`, { fullPage: true });
        expect(await measureHorizontalOverflow(page)).toBe(0);
        expect(activity.errors).toEqual([]);
        expect(activity.requestUrls.filter((url) => !url.startsWith(issuer))).toEqual([]);
        await page.addScriptTag({ content: axeSource });
        const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()');
        expect(violations.map(({ id }) => id)).toEqual([]);
      },
    );
  },
);

it('Allow leads to the client with a code, Cancel with an error, and the Content Security Policy blocks neither', async () => {
  for (const [buttonName, expectedPath] of [
    ['Allow', /^\/callback\?code=[\w-]+&state=the\+state&iss=/],
    ['Cancel', /^\/callback\?error=access_denied&/],
  ] as const) {
    receivedUrls.length = 0;
    await withSignedInPage({}, async (page) => {
      const activity = recordActivity(page);
      await page.goto(buildAuthorizeUrl());
      await page.getByRole('button', { name: buttonName }).click();
      await page.getByText('Back at the client').waitFor();
      expect(activity.errors.filter((text) => /Content Security Policy/i.test(text))).toEqual([]);
      expect(receivedUrls.find((url) => url.startsWith('/callback'))).toMatch(expectedPath);
    });
  }
});

it('with response_mode=form_post, the browser posts the code or the error to the client, which the Content Security Policy allows', async () => {
  for (const [buttonName, fieldNames] of [
    ['Allow', ['code', 'iss', 'state']],
    ['Cancel', ['error', 'error_description', 'iss', 'state']],
  ] as const) {
    receivedForms.length = 0;
    await withSignedInPage({}, async (page) => {
      const activity = recordActivity(page);
      await page.goto(`${buildAuthorizeUrl()}&response_mode=form_post`);
      await page.getByRole('button', { name: buttonName }).click();
      await page.getByText('Back at the client').waitFor();
      expect(activity.errors.filter((message) => /Content Security Policy/i.test(message))).toEqual([]);
      expect(receivedForms.map((form) => [...form.keys()].sort())).toEqual([fieldNames]);
    });
  }
});

it('consent pages in two tabs do not interfere with each other', async () => {
  await withSignedInPage({}, async (firstPage, context) => {
    await firstPage.goto(buildAuthorizeUrl());
    const secondPage = await context.newPage();
    await secondPage.goto(buildAuthorizeUrl());
    for (const page of [firstPage, secondPage]) {
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('Back at the client').waitFor();
    }
  });
});

it('the consent page is in Chinese for a user whose language is Chinese', async () => {
  const databaseClient = new pg.Client({ connectionString: (await findRunningServer(dataDir))!.url });
  await databaseClient.connect();
  await databaseClient.query(`UPDATE users SET locale = 'zh', locale_chosen = true WHERE email = $1`, [
    OWNER.email,
  ]);
  await databaseClient.end();
  await withSignedInPage({ viewport: { width: 360, height: 700 } }, async (page) => {
    await page.goto(buildAuthorizeUrl());
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    expect(await page.locator('h1').innerText()).toContain('想要使用您的 Brickdesk 账号');
    await screenshot(page, 'consent-zh-360', { fullPage: true });
    expect(await measureHorizontalOverflow(page)).toBe(0);
  });
});
