import { NextIntlClientProvider } from 'next-intl';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import common from '../../../../../../messages/en/common.json';
import order from '../../../../../../messages/en/orders/order.json';
import status from '../../../../../../messages/en/status.json';
import { FieldChanges } from '../../../../../../src/components/orders/page/timeline/field-changes';

/** Returns what the page shows as the old value of a field that was emptied. */
function shownValue(field: string, value: string): string {
  const children = createElement(FieldChanges, { before: { [field]: value }, after: {} });
  const properties = {
    locale: 'en',
    timeZone: 'UTC',
    messages: { common, order, status },
    children,
  } as const;
  const markup = renderToStaticMarkup(createElement(NextIntlClientProvider, properties));
  return /<del>(.*)<\/del>/.exec(markup)![1]!.replaceAll('\u202f', ' ');
}

it.each(['2026-08-20T14:03:00Z Arrived at facility', '2026-08-20T14:03:00Z', '2026-13-45T25:61'])(
  'a note is shown as it was written, even if it begins with a time: %s',
  (text) => {
    expect(shownValue('text', text)).toBe(text);
  },
);

it.each([
  ['snoozed_until', '2026-08-20T14:03:00.000Z', 'Aug 20, 2026, 2:03 PM'],
  ['snoozed_until', '2026-08-20T22:03+08:00', 'Aug 20, 2026, 2:03 PM'],
  ['sale_date', '2026-08-20T14:03:00+00:00', 'Aug 20, 2026, 10:03 AM'],
])('the instant of a field of instants is shown as a date and time: %s', (field, value, shown) => {
  expect(shownValue(field, value)).toContain(`>${shown}<`);
});
