import { NextIntlClientProvider } from 'next-intl';
import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import { loadMessages, type Namespace } from '../i18n/messages';

/** Provides the reader's time zone and the messages of the named namespaces, in addition to those that every page has. */
export async function NamespaceMessages({
  namespaces,
  timeZone,
  children,
}: {
  namespaces: readonly Namespace[];
  /** The signed-in reader's time zone; the default applies if nobody is signed in. */
  timeZone?: string;
  children: ReactNode;
}) {
  const messages = await loadMessages(await getLocale(), ['common', 'status', ...namespaces]);
  return (
    <NextIntlClientProvider messages={messages} {...(timeZone === undefined ? {} : { timeZone })}>
      {children}
    </NextIntlClientProvider>
  );
}
