import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../support/browser/back-office';
import { waitUntilSettled } from '../support/browser/browser';
import { confirmAction } from '../support/browser/page-actions';
import { screenshot } from '../support/browser/screenshot';
import { itRendersInEveryView } from '../support/browser/views';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../support/stand-ins/text-provider-stand-in';

const VIEWER_EMAIL = 'viewer@example.com';
const OPERATOR_EMAIL = 'operator@example.com';
const SHOP_NAME = 'Fox & Bricks';
const KIND_PROMPT = 'Be kind.\nSign as the shop.';
const BRIEF_PROMPT = 'Be brief.\nSign as the shop.';
const PROMPT_PATH = `/messages/prompt?${new URLSearchParams({ shop: SHOP_NAME })}`;

let backOffice: BackOffice;
let provider: TextProviderStandIn;

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  // Each reply contains a word from its prompt and an unconfirmed amount.
  provider.script({
    kind: 'written',
    write: (turns) => `Hello ${/Be (\w+)/.exec(turns[0]!.content)?.[1]}! We refund $5.00.`,
  });
  backOffice = await openBackOffice('admin-messages', {
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'stand-in-model',
  });
});

afterAll(async () => {
  await backOffice?.close();
  await provider?.close();
});

describe('without any data', () => {
  it('the pages say what to do first, and link to it', async () => {
    await backOffice.withPage('/messages/replies', async (page) => {
      await page.getByRole('heading', { name: 'No replies yet' }).waitFor();
      await page
        .getByText(
          'Reply to a buyer from an order’s page, try a prompt in its playground, or request a reply through the API.',
        )
        .waitFor();
      await page.getByRole('link', { name: 'Open the prompts' }).click();
      await page.getByRole('heading', { name: 'There are no active shops' }).waitFor();
      await page
        .getByText('Add or restore a shop first, then write the prompt for replies to its buyers.')
        .waitFor();
      await page.getByRole('link', { name: 'Add a shop' }).click();
      await page.getByRole('heading', { level: 1, name: 'Shops' }).waitFor();
    });
    await backOffice.call('shops.create', { name: SHOP_NAME });
    await backOffice.addUser(VIEWER_EMAIL, 'viewer');
    await backOffice.addUser(OPERATOR_EMAIL, 'operator');
  });
});

describe('prompts', () => {
  it('are saved as drafts, and go live once their publication is confirmed', async () => {
    await backOffice.withPage('/messages', async (page) => {
      await page.getByRole('link', { name: 'Write the first one' }).click();
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByText('Is required.').waitFor();
      await page.getByLabel('Text of the prompt').fill(KIND_PROMPT);
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByRole('row', { name: /Version 1 Draft/ }).waitFor();
      await page.getByText('Nothing is live').waitFor();
      await page.getByRole('button', { name: 'Publish version 1' }).click();
      await page.getByRole('dialog').getByText(`replies for ${SHOP_NAME} will use version 1`).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('row', { name: /Version 1 Live/ }).waitFor();
    });
  });

  it('keep unsaved text when the page is reloaded, until it is discarded or saved', async () => {
    await backOffice.withPage(`${PROMPT_PATH}&view=edit`, async (page) => {
      const promptField = page.getByLabel('Text of the prompt');
      const discardButton = page.getByRole('button', { name: 'Discard the changes' });
      await promptField.fill('Be curt.');
      await page.reload();
      await expect.poll(() => promptField.inputValue()).toBe('Be curt.');
      await discardButton.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard the changes' }).click();
      await expect.poll(() => promptField.inputValue()).toBe(KIND_PROMPT);
      await page.reload();
      await waitUntilSettled(page);
      expect(await promptField.inputValue()).toBe(KIND_PROMPT);
      await promptField.fill(BRIEF_PROMPT);
      await page.reload();
      await expect.poll(() => promptField.inputValue()).toBe(BRIEF_PROMPT);
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByRole('row', { name: /Version 2 Draft/ }).waitFor();
      expect(await page.getByText('There is unsaved text').count()).toBe(0);
      await page.getByRole('tab', { name: 'Edit' }).click();
      await page.getByText('Based on version 2.').waitFor();
      expect(await promptField.inputValue()).toBe(BRIEF_PROMPT);
      expect(await discardButton.isDisabled()).toBe(true);
    });
  });

  it('are neither published nor tried while there is unsaved text', async () => {
    await backOffice.withPage(`${PROMPT_PATH}&view=edit`, async (page) => {
      const publishButton = page.getByRole('button', { name: 'Publish version 2' });
      const promptField = page.getByLabel('Text of the prompt');
      await page.getByText('Based on version 2.').waitFor();
      await promptField.fill('Be curt.');
      await expect.poll(() => publishButton.isDisabled()).toBe(true);
      await page.getByRole('tab', { name: 'Playground' }).click();
      expect(await page.getByRole('button', { name: 'Try both prompts' }).isDisabled()).toBe(true);
      await page.reload();
      await page.getByRole('button', { name: 'unsaved text' }).click();
      await expect.poll(() => promptField.inputValue()).toBe('Be curt.');
      await page.getByRole('button', { name: 'Discard the changes' }).click();
      await confirmAction(page, 'Discard the changes');
      await expect.poll(() => publishButton.isEnabled()).toBe(true);
      expect(await page.getByText('There is unsaved text').count()).toBe(0);
    });
  });

  it('are compared side by side, with the differing words marked', async () => {
    await backOffice.withPage(PROMPT_PATH, async (page) => {
      await page.getByRole('heading', { name: 'From version 1 to version 2' }).waitFor();
      await expect.poll(() => page.locator('del').allInnerTexts()).toEqual(['kind']);
      expect(await page.locator('ins').allInnerTexts()).toEqual(['brief']);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByLabel('Compare to: Version 1').click();
      await page.waitForURL(/to=1/);
      await page.getByText('Choose two different versions').waitFor();
    });
  });
});

describe('the prompt of a shop that does not exist', () => {
  const UNKNOWN_SHOP = {
    'en-US':
      'There is no shop with this name. The prompt will apply once a shop has it, or to requests that use it.',
    'zh-CN': '没有叫这个名字的店铺。等有店铺使用该名称后，或有请求使用该名称时，这份提示词才会生效。',
  };

  it.each(['en-US', 'zh-CN'] as const)(
    'says so, in %s, and that of an existing shop does not',
    async (locale) => {
      await backOffice.withPage(
        '/messages/prompt?shop=Nope',
        async (page) => {
          const alert = page.getByRole('alert').getByText(UNKNOWN_SHOP[locale], { exact: true });
          await alert.waitFor();
          await screenshot(page, `admin-prompt-unknown-shop-${locale}`);
          await backOffice.visit(page, PROMPT_PATH);
          await page.getByRole('heading', { level: 1, name: SHOP_NAME }).waitFor();
          expect(await alert.count()).toBe(0);
        },
        { locale },
      );
    },
  );
});

describe('the playground', () => {
  it('shows the replies from the draft and the live prompt side by side, and marks unconfirmed amounts', async () => {
    await backOffice.withPage(`${PROMPT_PATH}&view=try`, async (page) => {
      await page.getByRole('textbox', { name: 'Message 1' }).fill('Where is my parcel?');
      await page.getByRole('textbox', { name: 'Message 1' }).press('Control+Enter');
      await page.getByText('Hello brief!').waitFor();
      await page.getByText('Hello kind!').waitFor();
      await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual(['$5.00', '$5.00']);
      await expect.poll(() => page.getByText('321 in, 45 out').count()).toBe(2);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await screenshot(page, 'admin-playground', { fullPage: true });
      await page.getByRole('button', { name: 'View API call' }).click();
      await page.getByText('/api/marketplace/message').first().waitFor();
    });
  });

  it('shows one prompt’s error beside the other’s reply', async () => {
    provider.script({ kind: 'reply', text: 'Hello!' }, { kind: 'empty' });
    await backOffice.withPage(
      `${PROMPT_PATH}&view=try`,
      async (page) => {
        // A blank message counts as none.
        await page.getByRole('textbox', { name: 'Message 1' }).fill(' ');
        await page.getByRole('button', { name: 'Try both prompts' }).click();
        await page.getByText('Hello!', { exact: true }).waitFor();
        await page.getByText('The text provider wrote an empty reply. Try again.').waitFor();
      },
      { userEmail: OPERATOR_EMAIL },
    );
  });
});

describe('replies', () => {
  it('can be filtered by warnings, viewed with their conversation, model and prompt, and opened in the playground', async () => {
    await backOffice.withPage('/messages/replies', async (page) => {
      await page.getByRole('table').waitFor();
      expect(await page.getByRole('row').count()).toBe(5);
      await page.getByLabel('Warnings').selectOption('yes');
      await page.waitForURL(/warned=yes/);
      await page.getByRole('cell', { name: 'Trial by ann@example.com' }).first().waitFor();
      await expect.poll(() => page.getByRole('row').count()).toBe(3);
      await page
        .getByRole('row', { name: /Hello brief!/ })
        .getByRole('link')
        .click();
      await page.getByRole('heading', { level: 1, name: /^Reply \d+/ }).waitFor();
      await page.getByText('Where is my parcel?').waitFor();
      await page.getByText('1 warning').waitFor();
      await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual(['$5.00']);
      await page.getByText('stand-in-model').waitFor();
      const promptSection = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Prompt' }) });
      await promptSection.getByText('Version 2', { exact: true }).waitFor();
      expect(await promptSection.getByText('Sign as the shop.').innerText()).toBe(BRIEF_PROMPT);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Open in the playground' }).click();
      await page.waitForURL(/view=try/);
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Message 1' }).inputValue())
        .toBe('Where is my parcel?');
    });
  });
});

describe('rolling back', () => {
  it('publishes the text of an older version again as a new version', async () => {
    await backOffice.withPage(PROMPT_PATH, async (page) => {
      await page.getByRole('button', { name: 'Publish version 2' }).click();
      await page.getByRole('dialog').getByText('Version 1 will be retired').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('row', { name: /Version 1 Retired/ }).waitFor();
      await page.getByRole('button', { name: 'Actions for Version 1' }).click();
      await page.getByRole('menuitem', { name: 'Roll back' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
      await page.getByRole('row', { name: /Version 3 Live/ }).waitFor();
      expect(await page.getByRole('row', { name: /Version 2 Retired/ }).count()).toBe(1);
      await page.getByRole('tab', { name: 'Edit' }).click();
      await page.getByText('Based on version 3.').waitFor();
      expect(await page.getByLabel('Text of the prompt').inputValue()).toBe(KIND_PROMPT);
    });
  });
});

describe('roles', () => {
  it('viewers can neither change nor try prompts; operators can try them', async () => {
    await backOffice.withPage(
      PROMPT_PATH,
      async (page) => {
        await page.getByRole('row', { name: /Version 3 Live/ }).waitFor();
        expect(await page.getByRole('button', { name: /Publish|Actions/ }).count()).toBe(0);
        await page.getByRole('tab', { name: 'Edit' }).click();
        await page.getByText('With your role you can read prompts but not change them.').waitFor();
        await page.getByRole('tab', { name: 'Playground' }).click();
        await page.getByText('With your role you can read prompts but not try them.').waitFor();
      },
      { userEmail: VIEWER_EMAIL },
    );
    await backOffice.withPage(
      `${PROMPT_PATH}&view=try`,
      async (page) => {
        await page.getByRole('button', { name: 'Try the live prompt' }).waitFor();
      },
      { userEmail: OPERATOR_EMAIL },
    );
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/messages', 'prompts'],
    [`${PROMPT_PATH}&from=1&to=2`, 'prompt'],
    [`${PROMPT_PATH}&view=edit`, 'prompt-edit'],
    [`${PROMPT_PATH}&view=try`, 'prompt-try'],
    ['/messages/replies', 'replies'],
    ['/messages/replies/1', 'reply'],
  ],
);
