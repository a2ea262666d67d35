import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';

/** The headless shell is the same browser without its windows: pages load in half of the time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** @throws Error that says what to install */
function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = [
    process.env.CHROMIUM_PATH,
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
  ];
  const program = found.find((file) => file !== undefined && existsSync(file));
  if (program) return program;
  throw new Error(
    'The browser tests need Chromium: "apt-get install chromium-headless-shell", or set CHROMIUM_PATH.',
  );
}

/** A real Chromium that makes no network requests of its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** What a page did unnoticed: errors in its console, and all its requests. */
export interface Watched {
  errors: string[];
  requests: string[];
}

/** Watches a page, starting before its first request. */
export function watch(page: Page): Watched {
  const watched: Watched = { errors: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error') watched.errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => watched.errors.push(error.message));
  page.on('request', (request) => watched.requests.push(request.url()));
  return watched;
}

/** How far the page can be scrolled sideways, in CSS pixels. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Waits until a page of the back office is interactive and has its data. Next abandons prefetched responses half read, so the
 * browser never sees its network as idle.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.waitForFunction(() => {
    const button = document.querySelector('button');
    const answers = button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'));
    return answers && document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') === null;
  });
  // Twice, because the first idle moment may lie before the effects of what was just rendered. A page that is never idle, or
  // not in front, gets a second.
  await page.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        const limit = { timeout: 1_000 };
        requestIdleCallback(() => requestIdleCallback(resolve, limit), limit);
      }),
  );
}
