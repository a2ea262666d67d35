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
  colorScheme: 'light' | 'dark';
  width: number;
}

/**
 * Both languages and colour schemes, on a laptop and on a phone. In each language a page is loaded in the first view and then
 * switched to the second, as when a user resizes the window and the system turns dark: loading it again would take half of the time.
 */
const LOADS = [
  {
    locale: 'en-US',
    first: { name: 'light-en', colorScheme: 'light', width: LAPTOP_WIDTH },
    second: { name: 'dark-en-phone', colorScheme: 'dark', width: PHONE_WIDTH },
  },
  {
    locale: 'zh-CN',
    first: { name: 'light-zh-phone', colorScheme: 'light', width: PHONE_WIDTH },
    second: { name: 'dark-zh', colorScheme: 'dark', width: LAPTOP_WIDTH },
  },
] as const satisfies { locale: string; first: View; second: View }[];

/** Switches a page to another view. */
async function setView(page: Page, session: CDPSession, { colorScheme, width }: View): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: width === PHONE_WIDTH });
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
}

const readColorScheme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme');

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
 * Takes a screenshot of the whole page, which must be in the view's colours, fit the screen's width and pass axe-core. On a phone
 * its tap areas must be large enough; on a laptop it must fit a wide screen too.
 */
async function checkView(page: Page, { name, colorScheme, width }: View, pageName: string): Promise<void> {
  const file = `${pageName}-${name}`;
  await screenshot(page, `admin-${file}`, { fullPage: true });
  await expect.poll(() => readColorScheme(page), { message: file }).toBe(colorScheme);
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
 * @param options of the page, such as who is signed in
 */
export function itRendersInEveryView(
  backOffice: () => BackOffice,
  pages: () => readonly (readonly [pathname: string, file: string, opens?: 'dialog'])[],
  options: { userEmail?: null } = {},
): void {
  it.each(LOADS)(
    'every page fits the screen in $first.name, then in $second.name, and axe finds nothing serious',
    async ({ locale, first, second }) => {
      const { withPage, visit } = backOffice();
      const { colorScheme, width } = first;
      await withPage(
        null,
        async (page) => {
          const session = await page.context().newCDPSession(page);
          for (const [pathname, file, opens] of pages()) {
            await setView(page, session, first);
            await visit(page, pathname);
            if (opens) await waitForDialog(page);
            await checkView(page, first, file);
            await setView(page, session, second);
            await waitUntilSettled(page);
            await checkView(page, second, file);
          }
        },
        {
          ...options,
          locale,
          colorScheme,
          viewport: { width, height: 800 },
          hasTouch: width === PHONE_WIDTH,
        },
      );
    },
  );
}
