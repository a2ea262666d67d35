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

/** Returns a request that imports a row. */
const importing = (row: object) => () =>
  service.send('/api/orders/import', { body: { account_id: service.accountId, rows: [row] } });
/** A request that triggers each message that a guide quotes. */
const TRIGGERS: Record<string, () => ReturnType<TestService['send']>> = {
  'rows.0.quantity: must be a whole number from 0 to 2147483647': importing({
    receipt_id: '1',
    quantity: 'x',
  }),
  'must be a whole number from 0 to 2147483647': importing({ receipt_id: '1', quantity: 'x' }),
  导入完成: importing({ receipt_id: '1' }),
};

const withoutEntities = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const quotedIn = (slug: (typeof GUIDES)[number]['slug']) => {
  const page = renderToStaticMarkup(createElement(Guide, { slug, origin: 'https://desk.example' }));
  return [...withoutEntities(page).matchAll(/"message":\s*"([^"]*)"/g)].map(([, message]) => message!);
};

it('every message that a guide quotes is a message of the service', async () => {
  const quoted = [...new Set(GUIDES.flatMap(({ slug }) => quotedIn(slug)))];
  expect(quoted.sort()).toEqual(Object.keys(TRIGGERS).sort());
  for (const message of quoted) {
    const { json } = await TRIGGERS[message]!();
    const returned = [
      json.message,
      ...(json.errors ?? []).map((problem: { message: string }) => problem.message),
    ];
    expect(returned).toContain(message);
  }
});
