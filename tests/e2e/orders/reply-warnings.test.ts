import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, receiptIdOf } from '../../support/browser/back-office-orders';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

let backOffice: BackOffice;
let provider: TextProviderStandIn;

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  backOffice = await openBackOffice('reply-warnings', {
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'stand-in-model',
  });
  await makeOrders(backOffice);
  await backOffice.call('prompts.set', { shop_name: 'Fox and Bricks', text: 'Be kind.' });
});
afterAll(async () => {
  await backOffice?.close();
  await provider?.close();
});

describe('the warnings about a draft', () => {
  it('are listed, and their words marked as they stand in the reply, even with unusual spaces and letters', async () => {
    provider.script({
      kind: 'reply',
      text: 'Nous vous remboursons 12,50\u00a0€. Écrivez-nous sur WhatsApp：abcde12345',
    });
    const messages = [{ sender: 'buyer', content: 'Où est mon colis ?' }];
    await backOffice.call('replyDrafts.write', { order_id: '1', messages });
    for (const path of ['/orders/1?reply=1', '/queues/to_review'])
      await backOffice.withPage(path, async (page) => {
        await page.getByText('2 warnings', { exact: true }).last().waitFor();
        const warnings = page.getByRole('listitem').filter({ hasText: 'Nothing in the database' });
        expect(await warnings.count()).toBe(2);
        await expect
          .poll(() => page.locator('mark').allTextContents())
          .toEqual(['12,50\u00a0€', 'WhatsApp：abcde12345']);
      });
  });

  it('that concern the request for it stay with its translation', async () => {
    provider.script({ kind: 'reply', text: 'It is on its way.' });
    await backOffice.send('/api/marketplace/message', {
      shop_name: 'Fox and Bricks',
      order_number: receiptIdOf(2),
      buyer_name: 'Somebody Else',
      messages: [{ sender: 'buyer', content: 'Où est mon colis ?' }],
    });
    await backOffice.withPage('/queues/to_review', async (page) => {
      const entry = page.getByRole('link').filter({ hasText: receiptIdOf(2) });
      await entry.first().click();
      const order = page.getByRole('article');
      const replyField = order.getByRole('textbox', { name: 'Reply' });
      await expect.poll(() => replyField.inputValue()).toBe('It is on its way.');
      const warning = order.getByRole('listitem').filter({ hasText: 'Somebody Else' });
      await warning.waitFor();
      provider.script({ kind: 'reply', text: 'Il est en route.' });
      await order.getByRole('button', { name: 'Translate for the buyer' }).click();
      await expect.poll(() => replyField.inputValue()).toBe('Il est en route.');
      await order.getByText('1 warning', { exact: true }).waitFor();
      expect(await warning.count()).toBe(1);
      expect(await entry.first().innerText()).toContain('1 warning');
    });
  });
});
