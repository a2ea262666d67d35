import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GUIDES } from '../../../src/components/docs/guide-list';
import { Guide } from '../../../src/components/docs/guides';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Returns a function that sends a request to import a row. */
const makeImportRequestSender = (row: object) => () =>
  service.send('/api/orders/import', { body: { account_id: service.shopId, rows: [row] } });
/** For each message that a guide quotes, a function that sends a request whose response contains it. */
const REQUEST_SENDER_BY_MESSAGE: Record<string, () => ReturnType<TestService['send']>> = {
  'rows.0.quantity: must be a whole number from 0 to 2147483647': makeImportRequestSender({
    receipt_id: '1',
    quantity: 'x',
  }),
  'must be a whole number from 0 to 2147483647': makeImportRequestSender({ receipt_id: '1', quantity: 'x' }),
  导入完成: makeImportRequestSender({ receipt_id: '1' }),
};

const decodeEntities = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const quotedMessagesOf = (slug: (typeof GUIDES)[number]['slug']) => {
  const html = renderToStaticMarkup(createElement(Guide, { slug, origin: 'https://desk.example' }));
  return [...decodeEntities(html).matchAll(/"message":\s*"([^"]*)"/g)].map(([, message]) => message!);
};

it('the service returns every message that a guide quotes', async () => {
  const quotedMessages = [...new Set(GUIDES.flatMap(({ slug }) => quotedMessagesOf(slug)))];
  expect(quotedMessages.sort()).toEqual(Object.keys(REQUEST_SENDER_BY_MESSAGE).sort());
  for (const message of quotedMessages) {
    const { json } = await REQUEST_SENDER_BY_MESSAGE[message]!();
    const returnedMessages = [
      json.message,
      ...(json.errors ?? []).map((problem: { message: string }) => problem.message),
    ];
    expect(returnedMessages).toContain(message);
  }
});
