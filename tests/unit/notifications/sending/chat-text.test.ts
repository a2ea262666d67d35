import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatText, DIALECTS } from '../../../../src/server/notifications/sending/chat-text';
import { emailHtml } from '../../../../src/server/notifications/sending/email-text';
import { isWebhookOf, signUrl } from '../../../../src/server/notifications/sending/webhook-client';
import { buildSummaryMessage, withShopFilter } from '../../../../src/server/notifications/summary';
import { textsIn } from '../../../../src/server/notifications/texts';

const toPageUrl = (path: string) => `https://desk.example/admin${path}`;
const createMessage = (text: string) => ({ title: text, intro: text, lines: [{ text, path: '/orders/1' }] });

describe('a message in a chat', () => {
  it('has a title, a sentence and links in the form of each vendor', () => {
    const lateOrders = {
      title: '1 order is late',
      intro: 'New:',
      lines: [{ text: 'Order 1', path: '/orders/7' }],
    };
    expect(chatText(lateOrders, DIALECTS.wecom, toPageUrl)).toBe(
      '**1 order is late**\n\nNew:\n\n> [Order 1](https://desk.example/admin/orders/7)',
    );
    expect(chatText(lateOrders, DIALECTS.dingtalk, toPageUrl)).toBe(
      '**1 order is late**\n\nNew:\n\n- [Order 1](https://desk.example/admin/orders/7)',
    );
    expect(chatText(lateOrders, DIALECTS.slack, toPageUrl)).toBe(
      '*1 order is late*\nNew:\n• <https://desk.example/admin/orders/7|Order 1>',
    );
  });

  it.each(['<!channel>', '<@everyone>', '[here](https://evil.example)', '<https://evil.example|here>'])(
    'shows the name %s as neither a mention nor a link',
    (name) => {
      for (const dialect of [DIALECTS.wecom, DIALECTS.dingtalk])
        expect(chatText(createMessage(name), dialect, toPageUrl)).not.toMatch(/<[!@h]|\]\(https:\/\/evil/);
      expect(chatText(createMessage(name), DIALECTS.slack, toPageUrl)).not.toMatch(/<[!@]|<https:\/\/evil/);
    },
  );

  it('fits the limit of each vendor, whatever its lines contain', () => {
    const line = fc.record({
      text: fc.string({ maxLength: 300, unit: 'grapheme' }),
      path: fc.constant('/orders/1'),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        for (const dialect of Object.values(DIALECTS)) {
          const text = chatText({ title: 'Late', intro: 'New:', lines }, dialect, toPageUrl);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(dialect.maxBytes);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a message about very many shops', () => {
  const shops = Array.from({ length: 200 }, (_, index) => ({
    id: 100_000 + index,
    name: `${index + 1} ${'店铺名称'.repeat(40)}`,
  }));

  it.each(['en', 'zh'] as const)('fits the limit of each vendor, and links to its page: %s', (locale) => {
    const reader = { locale, timeZone: 'UTC', shops };
    const message = buildSummaryMessage(
      reader,
      {
        queueCounts: {
          to_ship: 1,
          late: 2,
          exception: 3,
          delivery_failed: 4,
          not_scanned: 5,
          to_review: 6,
          unmatched: 7,
        },
        failedImportCount: 1,
        importsWithWarningsCount: 1,
        shopsWithoutStatistics: shops.map(({ id, name }) => ({
          name,
          shop_id: `marketplace-${id}`,
          day: '2026-08-22',
        })),
        expiringKeys: [],
      },
      { day: '2026-08-23', now: new Date() },
    );
    for (const dialect of Object.values(DIALECTS)) {
      const text = chatText(message, dialect, toPageUrl);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(dialect.maxBytes);
      expect(text).toContain('https://desk.example/admin/queues/late');
      expect(text).toContain('https://desk.example/admin/statistics/missing');
      expect(text).not.toContain('…\n…');
    }
  });

  it('names the first five and says how many others there are', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    expect(textsIn('en').scope(names)).toBe('In A, B, C, D, E and 2 more:');
    expect(textsIn('zh').scope(names)).toBe('A、B、C、D、E等 7 家店铺：');
    expect(textsIn('en').scope(names.slice(0, 5))).toBe('In A, B, C, D, E:');
  });

  it('links to all shops if it covers more than twenty', () => {
    expect(withShopFilter('/queues/late', shops.slice(0, 20))).toMatch(/^\/queues\/late\?shop=100000,/);
    expect(withShopFilter('/queues/late', shops.slice(0, 21))).toBe('/queues/late');
  });
});

describe('a message that is too long for a chat', () => {
  it('leaves out a line that does not fit, and keeps those after it', () => {
    const lines = ['first', 'x'.repeat(5_000), 'last'].map((text) => ({ text, path: null }));
    expect(chatText({ title: 'Late', intro: 'New:', lines }, DIALECTS.wecom, toPageUrl)).toBe(
      '**Late**\n\nNew:\n\n> first\n> last\n…',
    );
  });

  it('has a shortened title and sentence, and cuts neither characters nor escapes', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12_000, maxLength: 14_000, unit: fc.constantFrom('&', '&', '<', '店', '😀') }),
        (text) => {
          for (const dialect of Object.values(DIALECTS)) {
            const chat = chatText(
              { title: text, intro: text, lines: [{ text: 'Order 1', path: '/orders/1' }] },
              dialect,
              toPageUrl,
            );
            expect(Buffer.byteLength(chat)).toBeLessThanOrEqual(dialect.maxBytes);
            expect(chat.isWellFormed()).toBe(true);
            expect(chat).toContain('/orders/1');
            if (dialect === DIALECTS.slack) expect(chat).not.toMatch(/&(?!amp;|lt;|gt;)/);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

it('an e-mail shows names as text, not as HTML', () => {
  const html = emailHtml(
    createMessage('<img src=https://evil.example>'),
    { text: 'Bye', links: [] },
    toPageUrl,
    'en',
  );
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=https://evil.example&gt;');
});

describe('the address of a webhook', () => {
  const origins = {
    wecom: 'https://qyapi.weixin.qq.com',
    dingtalk: 'https://oapi.dingtalk.com',
    slack: 'https://hooks.slack.com',
  };

  it.each([
    ['wecom', 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=693a91f6-7aaa-4bc4-97a0-0ec2sifa5aaa'],
    ['dingtalk', 'https://oapi.dingtalk.com/robot/send?access_token=0123456789abcdef'],
    ['slack', 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'],
  ] as const)('of %s may be %s', (vendor, url) => {
    expect(isWebhookOf(vendor, url, origins)).toBe(true);
  });

  it.each([
    'http://hooks.slack.com/services/T0/B0/X',
    'https://hooks.slack.com.evil.example/services/T0/B0/X',
    'https://hooks.slack.com@evil.example/services/T0/B0/X',
    'https://evil.example/services/T0/B0/X',
    'https://hooks.slack.com:8443/services/T0/B0/X',
    'https://hooks.slack.com/services/T0/../B0/X',
    'https://hooks.slack.com/services/T0/B0/X?a=1',
    'https://hooks.slack.com/services/T0/B0/X#a',
    'http://169.254.169.254/latest/meta-data',
    'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0123456789',
    'file:///etc/passwd',
  ])('of Slack cannot be %s', (url) => {
    expect(isWebhookOf('slack', url, origins)).toBe(false);
  });
});

it('DingTalk’s signature is the HMAC-SHA256 of time, line feed and secret', () => {
  // Generated with OpenSSL: printf '1577262236757\nSECtest' | openssl dgst -sha256 -hmac SECtest -binary | base64
  expect(signUrl('https://oapi.dingtalk.com/robot/send?access_token=a', 'SECtest', 1577262236757)).toBe(
    `https://oapi.dingtalk.com/robot/send?access_token=a&timestamp=1577262236757&sign=${encodeURIComponent('Za/ne6w2koB8B4ROVlgTNd/X+/FbyDpZrXLz57xNZSA=')}`,
  );
});
