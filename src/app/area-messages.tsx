import { NextIntlClientProvider } from 'next-intl';
import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type Area, loadMessages } from '../i18n/messages';

/** Gives a page the messages of the named areas, in addition to those that every page has. */
export async function AreaMessages({ of, children }: { of: readonly Area[]; children: ReactNode }) {
  const messages = await loadMessages(await getLocale(), ['common', 'status', ...of]);
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}
