import { NextIntlClientProvider } from 'next-intl';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import status from '../../../../../messages/en/status.json';
import { SubStatusName } from '../../../../../src/components/ui/value/sub-status';

function nameOf(subStatus: string): string {
  const children = createElement(SubStatusName, { subStatus });
  const properties = { locale: 'en', timeZone: 'UTC', messages: { status }, children } as const;
  return renderToStaticMarkup(createElement(NextIntlClientProvider, properties));
}

it('a known sub-status has a name', () => {
  expect(nameOf('Exception_Lost')).toBe(status.sub.Exception_Lost);
});

it.each(['constructor', 'toString', '__proto__', 'Held'])(
  'an unknown sub-status is shown as the carrier’s code: %s',
  (code) => {
    expect(nameOf(code)).toBe(code);
  },
);
