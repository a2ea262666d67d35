import type { Locator, Page, Request } from 'playwright';
import { expect } from 'vitest';

/** What a page does unnoticed: errors in its console, and its requests. */
export interface Watched {
  errors: string[];
  requests: string[];
  /** The requests that may change something and are not answered yet. */
  saving: Set<Request>;
}

/** Watches a page, starting before its first request. */
export function watch(page: Page): Watched {
  const watched: Watched = { errors: [], requests: [], saving: new Set() };
  page.on('console', (message) => {
    if (message.type() === 'error') watched.errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => watched.errors.push(error.message));
  page.on('request', (request) => {
    watched.requests.push(request.url());
    if (request.method() !== 'GET') watched.saving.add(request);
  });
  const answered = (request: Request) => watched.saving.delete(request);
  page.on('requestfinished', answered);
  page.on('requestfailed', answered);
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
    // All of them: the parts of a page become interactive one after another.
    // A hidden text field is a copy that measures the height of another one.
    const controls = [
      ...document.querySelectorAll('button, input, select, textarea:not([aria-hidden=true])'),
    ];
    const answers = (control: Element) => Object.keys(control).some((key) => key.startsWith('__reactProps'));
    const isBusy = document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') !== null;
    return document.querySelector('button') !== null && controls.every(answers) && !isBusy;
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

/** How many frames in a row nothing may move: what has just been opened begins to move a frame or two later. */
const STILL_FRAMES = 4;

/** Waits until dialogs, menus and messages have stopped moving and fading. What moves for as long as it shows does not count. */
export async function still(page: Page): Promise<void> {
  await page.waitForFunction((wanted) => {
    const moves = document
      .getAnimations()
      .some(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    const own = window as unknown as { stillFrames?: number };
    own.stillFrames = moves ? 0 : (own.stillFrames ?? 0) + 1;
    if (own.stillFrames < wanted) return false;
    own.stillFrames = 0;
    return true;
  }, STILL_FRAMES);
}

/** Waits until the element has the focus. */
export async function hasFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((own) => own === document.activeElement)).toBe(true);
}
