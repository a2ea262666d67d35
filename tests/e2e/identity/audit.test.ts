import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitUntilSettled } from '../../support/browser/browser';
import { itRendersInEveryView } from '../../support/browser/views';

const VIEWER_EMAIL = 'viewer@example.com';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-audit');
  const { id } = await backOffice.call('shops.create', { name: 'Fox and Bricks', currency: 'EUR' });
  await backOffice.call('shops.update', { id, currency: 'USD' });
  await backOffice.call('keys.create', { name: 'ERP', scopes: ['post_api_orders_import'] });
  await backOffice.call('notifications.team.save', {
    vendor: 'slack',
    name: 'Packers',
    url: 'https://hooks.slack.com/services/T1/B1/x',
    kinds: ['late', 'import_failed'],
    shop_ids: [],
    send_at: '08:00',
    time_zone: 'America/New_York',
    locale: 'en',
    empty_days: false,
    active: true,
  });
  await backOffice.addUser(VIEWER_EMAIL, 'viewer');
  await backOffice.call('countries.addAlias', { code: 'DE', alias: 'Brickland' });
  await backOffice.call('countries.removeAlias', { code: 'DE', alias: 'Brickland' });
});
afterAll(() => backOffice?.close());

const CHANGE_PATTERN = /changed the currency of shop Fox and Bricks from EUR to USD$/;

describe('the audit log', () => {
  it('says in a sentence what happened, and shows changed fields with their values before and after', async () => {
    await backOffice.withPage('/audit', async (page) => {
      const row = page.getByRole('row').filter({ hasText: 'changed the currency' });
      expect(await row.locator('[data-heading]').innerText()).toMatch(CHANGE_PATTERN);
      await row.getByRole('button', { name: 'Details' }).click();
      const table = page.getByRole('dialog').getByRole('table');
      await table.waitFor();
      expect((await table.innerText()).split(/\s+/)).toEqual([
        'Field',
        'Before',
        'After',
        'Currency',
        'EUR',
        'USD',
      ]);
    });
  });

  it.each([
    {
      locale: 'en-US',
      operationNames: 'Import orders',
      kindNames: 'Late orders, Failed imports',
      vendor: 'Slack',
    },
    { locale: 'zh-CN', operationNames: '导入订单', kindNames: '超时未发、导入失败', vendor: 'Slack' },
  ])(
    'shows operations, kinds of notification and vendors by their names, in $locale',
    async ({ locale, operationNames, kindNames, vendor }) => {
      await backOffice.withPage(
        '/audit',
        async (page) => {
          const readDetails = async (changePattern: RegExp) => {
            await page.getByRole('row', { name: changePattern }).getByRole('button').last().click();
            const text = await page.getByRole('dialog').getByRole('table').innerText();
            await page.keyboard.press('Escape');
            await page.getByRole('dialog').waitFor({ state: 'hidden' });
            return text;
          };
          expect(await readDetails(/ERP/)).toContain(operationNames);
          const channelDetails = await readDetails(/Packers/);
          expect(channelDetails).toContain(kindNames);
          expect(channelDetails).toContain(vendor);
          expect(channelDetails).toContain(locale === 'zh-CN' ? '全部店铺' : 'all shops');
        },
        { locale },
      );
    },
  );

  it.each([
    [
      'en-US',
      ['removed the alias Brickland from Germany', 'added the alias Brickland to Germany; 0 orders matched'],
    ],
    ['zh-CN', ['删除了“德国”的别名“Brickland”', '将“Brickland”设为“德国”的别名，匹配了 0 个订单']],
  ])('names countries in the language of the page, in %s', async (locale, sentences) => {
    await backOffice.withPage(
      '/audit',
      async (page) => {
        const headings = page.locator('td[data-heading]').filter({ hasText: 'Brickland' });
        expect(await headings.allInnerTexts()).toEqual(
          sentences.map((sentence) => expect.stringMatching(new RegExp(`${sentence}$`))),
        );
      },
      { locale },
    );
  });

  it.each([
    ['en-US', 'Details: ', CHANGE_PATTERN],
    ['zh-CN', '详情：', /修改了店铺“Fox and Bricks”的币种：EUR → USD$/],
  ])('has buttons whose names say which entry they are about, in %s', async (locale, prefix, pattern) => {
    await backOffice.withPage(
      '/audit',
      async (page) => {
        const names = await page
          .locator('tr[data-row] td:last-child button')
          .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
        const sentences = await page.locator('td[data-heading]').allInnerTexts();
        expect(names).toEqual(sentences.map((sentence) => prefix + sentence));
        expect(sentences).toContainEqual(expect.stringMatching(pattern));
      },
      { locale },
    );
  });

  it('shows sentences of two lines in full on a phone', async () => {
    await backOffice.withPage(
      '/audit',
      async (page) => {
        const heading = page.locator('td[data-heading]').filter({ hasText: 'changed the currency' });
        expect(await heading.innerText()).toMatch(CHANGE_PATTERN);
        const hiddenLengths = await page
          .locator('td[data-heading], td[data-heading] span')
          .evaluateAll((parts) =>
            parts.flatMap((part) => [
              part.scrollWidth - part.clientWidth,
              part.scrollHeight - part.clientHeight,
            ]),
          );
        expect(Math.max(...hiddenLengths)).toBe(0);
      },
      { viewport: { width: 360, height: 800 }, hasTouch: true },
    );
  });

  it('can be filtered, and its URL keeps the filters', async () => {
    await backOffice.withPage('/audit', async (page) => {
      const rows = page.locator('tr[data-row]');
      await page.getByRole('button', { name: 'Type of action' }).click();
      await page.getByRole('checkbox', { name: 'Shops', exact: true }).check();
      await page.waitForURL(/group=shops/);
      await page.getByText('created the shop Fox and Bricks').waitFor();
      await page.getByText('signed in').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Who' }).click();
      await page.getByRole('checkbox', { name: 'Brickdesk itself' }).check();
      await page.getByText('Nothing matches', { exact: true }).waitFor();
      await page.getByRole('checkbox', { name: 'Brickdesk itself' }).uncheck();
      await page.getByText('created the shop Fox and Bricks').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Details' }).first().click();
      await page.getByRole('link', { name: 'All entries for this record' }).click();
      await page.waitForURL(/record_type=account&record_id=\d+$/);
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await expect.poll(() => rows.count()).toBe(2);
      await page.reload();
      await waitUntilSettled(page);
      expect(await rows.count()).toBe(2);
    });
  });

  itRendersInEveryView(
    () => backOffice,
    () => [
      ['/audit', 'audit'],
      ['/account', 'account-zone'],
    ],
  );
});

it('times are shown in the time zone that the user chose under Account, and the zone is named', async () => {
  await backOffice.withPage(
    '/account',
    async (page) => {
      const navigation = page.getByRole('navigation', { name: 'Pages' });
      await navigation.getByText('Times: New York time').waitFor();
      await page.getByLabel('Time zone').first().click();
      await page.getByLabel('Time zone').first().fill('Shanghai');
      await page.getByRole('option', { name: 'Asia/Shanghai' }).click();
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByText('Saved.').waitFor();
      await navigation.getByText('Times: China Standard Time').waitFor();
      await page.locator('time').first().waitFor();
      const time = page.locator('time').first();
      // Read together, because the page may refresh the text.
      const { dateTime, text } = await time.evaluate((element: HTMLTimeElement) => ({
        dateTime: element.dateTime,
        text: element.innerText,
      }));
      const expectedText = new Intl.DateTimeFormat('en-US', {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: 'Asia/Shanghai',
      }).format(new Date(dateTime));
      expect(text.replaceAll('\u202f', ' ')).toBe(expectedText.replaceAll('\u202f', ' '));
      await time.hover();
      await page.getByRole('tooltip').filter({ hasText: 'China Standard Time' }).waitFor();
    },
    // The browser is in another zone, but must still agree with the server on the text.
    { userEmail: VIEWER_EMAIL, timezoneId: 'Pacific/Auckland' },
  );
});
