import type { Locator, Page, Request } from 'playwright';
import { expect } from 'vitest';

/** What a page has done since `recordActivity` was called. */
export interface PageActivity {
  /** The messages of console errors and uncaught exceptions. */
  errors: string[];
  /** The URLs of all requests. */
  requestUrls: string[];
  /** Requests other than GET that have no response yet. */
  pendingWrites: Set<Request>;
}

/** Records the activity of a page from now on. To record all of it, call this before the page's first request. */
export function recordActivity(page: Page): PageActivity {
  const activity: PageActivity = { errors: [], requestUrls: [], pendingWrites: new Set() };
  page.on('console', (message) => {
    if (message.type() === 'error') activity.errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => activity.errors.push(error.message));
  page.on('request', (request) => {
    activity.requestUrls.push(request.url());
    if (request.method() !== 'GET') activity.pendingWrites.add(request);
  });
  const removePendingWrite = (request: Request) => activity.pendingWrites.delete(request);
  page.on('requestfinished', removePendingWrite);
  page.on('requestfailed', removePendingWrite);
  return activity;
}

/**
 * Returns by how many CSS pixels content overflows the page to the right, which makes it scroll, or a control overflows it to the
 * left, where nobody can reach it.
 */
export function measureHorizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const controls = document.querySelectorAll('main :is(a, button, input, select, textarea)');
    const leftEdges = [...controls]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .map((control) => control.getBoundingClientRect())
      .filter(({ width, right }) => width > 1 && right > 0)
      .map(({ left }) => left);
    return Math.max(scrollWidth - clientWidth, -Math.floor(Math.min(0, ...leftEdges)));
  });
}

/**
 * Waits until a page of the back office is interactive and has its data. Waiting for an idle network would not work, because Next
 * abandons prefetched responses before they are complete.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.waitForFunction(
    () => {
      // All controls, because the parts of a page become interactive one after another. A hidden textarea only measures the height
      // of another one.
      const controls = [
        ...document.querySelectorAll('button, input, select, textarea:not([aria-hidden=true])'),
      ];
      const isInteractive = (control: Element) =>
        Object.keys(control).some((key) => key.startsWith('__reactProps'));
      const isBusy = document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') !== null;
      return document.querySelector('button') !== null && controls.every(isInteractive) && !isBusy;
    },
    undefined,
    { polling: 50 },
  );
  // Waits for two idle periods, because the first may come before the effects of the last render. Each wait ends after a second
  // if the page is never idle, or is in the background.
  await page.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        const options = { timeout: 1_000 };
        requestIdleCallback(() => requestIdleCallback(resolve, options), options);
      }),
  );
}

/** How many consecutive frames must be free of animations: those of a dialog start a frame or two after it opens. */
const STILL_FRAME_COUNT = 4;

/** Waits until dialogs, menus and messages have stopped moving and fading. Ignores animations that never end. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.waitForFunction((frameCount) => {
    const isMoving = document
      .getAnimations()
      .some(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    const counter = window as unknown as { stillFrameCount?: number };
    counter.stillFrameCount = isMoving ? 0 : (counter.stillFrameCount ?? 0) + 1;
    if (counter.stillFrameCount < frameCount) return false;
    counter.stillFrameCount = 0;
    return true;
  }, STILL_FRAME_COUNT);
}

/** Waits until the element has the focus. */
export async function waitForFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true);
}
