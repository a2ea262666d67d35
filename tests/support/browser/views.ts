import type { CDPSession, Page } from 'playwright';
import { expect, it } from 'vitest';
import { findAccessibilityViolations } from './accessibility';
import type { BackOffice } from './back-office';
import { measureHorizontalOverflow, waitForAnimations, waitUntilSettled } from './browser';
import { screenshot } from './screenshot';
import { findSmallTapAreas } from './tap-areas';

const LAPTOP_WIDTH = 1280;
const PHONE_WIDTH = 360;

interface View {
  name: string;
  width: number;
}

/**
 * Both languages, both colour schemes and both widths. A page is loaded once per language, in the first view, and is then resized:
 * loading it again would take half of the test's time.
 */
const LOADS = [
  {
    locale: 'en-US',
    colorScheme: 'light',
    first: { name: 'light-en', width: LAPTOP_WIDTH },
    second: { name: 'light-en-phone', width: PHONE_WIDTH },
  },
  {
    locale: 'zh-CN',
    colorScheme: 'dark',
    first: { name: 'dark-zh-phone', width: PHONE_WIDTH },
    second: { name: 'dark-zh', width: LAPTOP_WIDTH },
  },
] as const satisfies { locale: string; colorScheme: 'light' | 'dark'; first: View; second: View }[];

/** Resizes the page. A phone also has a touch screen. */
async function resize(page: Page, session: CDPSession, { width }: View): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: width === PHONE_WIDTH });
  await page.setViewportSize({ width, height: 800 });
}

/** Takes a screenshot of the page on a wide screen, which it must fit too. */
async function checkWidePage(page: Page, file: string): Promise<void> {
  const initialSize = page.viewportSize()!;
  await page.setViewportSize({ width: 1920, height: 1080 });
  await waitForAnimations(page);
  await screenshot(page, `admin-${file}-wide`);
  expect(await measureHorizontalOverflow(page), `${file}, wide`).toBe(0);
  await page.setViewportSize(initialSize);
}

/**
 * Takes a screenshot of the whole page, which must fit the screen's width and pass axe-core. On a phone its tap areas must be large
 * enough; on a laptop it must fit a wide screen too.
 */
async function checkView(page: Page, { name, width }: View, pageName: string): Promise<void> {
  const file = `${pageName}-${name}`;
  await screenshot(page, `admin-${file}`, { fullPage: true });
  expect(await measureHorizontalOverflow(page), file).toBe(0);
  expect(await findAccessibilityViolations(page), file).toEqual([]);
  if (width === PHONE_WIDTH) expect.soft(await findSmallTapAreas(page), file).toEqual([]);
  else await checkWidePage(page, file);
}

/** Waits until a dialog has its name and its content. Its code is loaded after the page, which is then idle at first. */
async function waitForDialog(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: /\S/ }).waitFor();
  await waitUntilSettled(page);
}

/**
 * Tests that pages display correctly in both languages and colour schemes, on a laptop, a wide screen and a phone.
 *
 * @param pages returns paths of the back office, the names of their screenshots and, for a path that opens a dialog, `'dialog'`; not
 * called before a test begins
 * @param options `userEmail: null` if nobody is signed in
 */
export function itRendersInEveryView(
  backOffice: () => BackOffice,
  pages: () => readonly (readonly [pathname: string, file: string, opens?: 'dialog'])[],
  options: { userEmail?: null } = {},
): void {
  it.each(LOADS)(
    'every page fits the screen in $first.name, then in $second.name, and axe finds nothing serious',
    async ({ locale, colorScheme, first, second }) => {
      const { withPage, visit } = backOffice();
      const hasTouch = first.width === PHONE_WIDTH;
      const viewport = { width: first.width, height: 800 };
      await withPage(
        null,
        async (page) => {
          const session = await page.context().newCDPSession(page);
          for (const [pathname, file, opens] of pages()) {
            await resize(page, session, first);
            await visit(page, pathname);
            if (opens) await waitForDialog(page);
            const scheme = await page.locator('html').getAttribute('data-mantine-color-scheme');
            expect(scheme, file).toBe(colorScheme);
            await checkView(page, first, file);
            await resize(page, session, second);
            await (opens ? waitForDialog(page) : waitUntilSettled(page));
            await checkView(page, second, file);
          }
          await session.detach();
        },
        { ...options, locale, colorScheme, viewport, hasTouch },
      );
    },
  );
}
