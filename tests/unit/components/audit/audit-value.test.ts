import { NextIntlClientProvider } from 'next-intl';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import audit from '../../../../messages/en/audit.json';
import common from '../../../../messages/en/common.json';
import keys from '../../../../messages/en/identity/keys.json';
import notifications from '../../../../messages/en/notifications.json';
import status from '../../../../messages/en/status.json';
import { useAuditValueFormatter } from '../../../../src/components/audit/audit-value';
import type { AuditField } from '../../../../src/server/audit/actions';

const MESSAGES = { audit, common, keys, notifications, status };

function formatValue(field: AuditField, value: string): string {
  const children = createElement(() => useAuditValueFormatter()(field, value));
  const properties = { locale: 'en', timeZone: 'UTC', messages: MESSAGES, children } as const;
  return renderToStaticMarkup(createElement(NextIntlClientProvider, properties)).replaceAll('\u202f', ' ');
}

it.each([
  ['text', '2026-08-20T14:03:00Z Arrived at facility'],
  ['text', '2026-08-20T14:03:00Z'],
  ['file_name', '2026-08-20T14:03-orders.csv'],
] as const)('a text is shown as it was written, even if it begins with a time: %s %s', (field, text) => {
  expect(formatValue(field, text)).toBe(text);
});

it.each(['expires_at', 'revoked_at', 'snoozed_until'] as const)(
  'the instant of %s is shown as a date and time',
  (field) => {
    expect(formatValue(field, '2026-08-20T14:03:00.000Z')).toBe('Aug 20, 2026, 2:03 PM');
  },
);
