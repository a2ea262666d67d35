import type { BrowserContextOptions, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForFocus } from '../../support/browser/browser';
import { makeStuckOrders, STUCK_ORDERS } from '../../support/browser/queue-page';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('dialogs');
  await makeStuckOrders(backOffice);
});
afterAll(() => backOffice?.close());

interface DialogCase {
  path: string;
  /** The title of the dialog or drawer. */
  title: string;
  /** What the user does on the page first. */
  prepare?: (page: Page) => Promise<void>;
  /** The button that opens the dialog, or the menu from which `choose` opens it. */
  button: (page: Page) => Locator;
  choose?: (page: Page) => Promise<void>;
  /** What has the focus after the dialog has closed; the button by default. */
  focusTarget?: (page: Page) => Locator;
  options?: BrowserContextOptions;
}

const QUEUE_PATH = '/queues/exception';
const PHONE = { viewport: { width: 360, height: 800 } };
/**
 * Returns a function that chooses an item of the open menu by keyboard. It presses ArrowDown until the item has the focus, because
 * the menu ignores keys until it has the focus itself.
 */
const chooseMenuItem = (name: string) => async (page: Page) => {
  const item = page.getByRole('menuitem', { name });
  const hasFocus = () => item.evaluate((element) => element === document.activeElement);
  for (await item.waitFor(); !(await hasFocus()); ) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
};
const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all shown' }).check();
/** Return functions that locate a button of the open entry, or of the actions for the selected entries. */
const makeEntryButtonLocator = (name: string) => (page: Page) =>
  page.getByRole('article').getByRole('button', { name });
const makeSelectionButtonLocator = (name: string) => (page: Page) =>
  page.getByRole('group', { name: 'Selected entries' }).getByRole('button', { name });

const DIALOGS: Record<string, DialogCase> = {
  'the snooze date': {
    path: QUEUE_PATH,
    title: 'Snooze until',
    button: makeEntryButtonLocator('Snooze'),
    choose: chooseMenuItem('Until a date…'),
    // The menus of a queue return the focus to the list, where the shortcuts work.
    focusTarget: (page) => page.locator('[data-entry][aria-current]'),
  },
  'the notes on an order': {
    path: QUEUE_PATH,
    title: `Notes on ${STUCK_ORDERS[0].receiptId}`,
    button: makeEntryButtonLocator('Add note'),
  },
  'a note on several orders': {
    path: QUEUE_PATH,
    title: 'Note on 5 orders',
    prepare: selectAll,
    button: makeSelectionButtonLocator('Add note'),
  },
  'the question about several shipments': {
    path: QUEUE_PATH,
    title: 'Ask the carrier about 5 entries',
    prepare: selectAll,
    button: makeSelectionButtonLocator('Ask the carrier'),
  },
  'the status of several orders': {
    path: QUEUE_PATH,
    title: 'Set 5 orders to “Cancelled”?',
    prepare: selectAll,
    button: makeSelectionButtonLocator('Set status'),
    choose: chooseMenuItem('Cancelled'),
  },
  'the shortcuts': {
    path: '/orders',
    title: 'Help and shortcuts',
    button: (page) => page.getByRole('button', { name: 'Help and shortcuts' }),
  },
  'the shortcuts on a phone': {
    path: '/orders',
    title: 'Help and shortcuts',
    button: (page) => page.getByRole('button', { name: 'Open the navigation' }),
    choose: (page) => page.getByRole('button', { name: 'Help and shortcuts' }).press('Enter'),
    options: PHONE,
  },
  'an entry of the audit log': {
    path: '/audit',
    title: 'Details',
    button: (page) => page.getByRole('button', { name: 'Details' }).first(),
  },
  'the undo of an import': {
    path: '/imports/1',
    title: 'Undo import 1',
    button: (page) => page.getByRole('button', { name: 'Undo…' }),
  },
  'an API call': {
    path: '/imports',
    title: 'View API call',
    button: (page) => page.getByRole('main').getByRole('button', { name: 'More actions' }),
    choose: chooseMenuItem('View API call'),
  },
  'the filters on a phone': {
    path: '/orders',
    title: 'Filters',
    button: (page) => page.getByRole('button', { name: /^Filters/ }),
    options: PHONE,
  },
};

describe.each(Object.entries(DIALOGS))(
  'the dialog with %s',
  (_, { path, title, prepare, button, choose, focusTarget = button, options }) => {
    it('returns the focus when Escape closes it, the first time and the second', async () => {
      await backOffice.withPage(
        path,
        async (page) => {
          await prepare?.(page);
          const dialog = page.getByRole('dialog', { name: title, exact: true });
          for (let round = 0; round < 2; round++) {
            await button(page).focus();
            await page.keyboard.press('Enter');
            await choose?.(page);
            await dialog.waitFor();
            await expect
              .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
              .toBe(true);
            await page.keyboard.press('Escape');
            await dialog.waitFor({ state: 'hidden' });
            await waitForFocus(focusTarget(page));
          }
        },
        options,
      );
    });
  },
);
