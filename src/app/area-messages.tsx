import { NextIntlClientProvider } from 'next-intl';
import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type Area, loadMessages } from '../i18n/messages';

/** Gives a page the messages of the named areas, in addition to those that every page has, and the reader's time zone. */
export async function AreaMessages({
  of,
  timeZone,
  children,
}: {
  of: readonly Area[];
  /** Of the signed-in reader; the default where nobody is signed in. */
  timeZone?: string;
  children: ReactNode;
}) {
  const messages = await loadMessages(await getLocale(), ['common', 'status', ...of]);
  return (
    <NextIntlClientProvider messages={messages} {...(timeZone === undefined ? {} : { timeZone })}>
      {children}
    </NextIntlClientProvider>
  );
}
