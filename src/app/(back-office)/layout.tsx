import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import '../../components/theme/tokens.css';
import '../../components/theme/typeface.css';
import '../../components/theme/desk.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import { PageEnd, PaintAtPageEnd } from '../../components/theme/first-paint';
import { fontClasses } from '../../components/theme/fonts';
import { Providers } from '../../components/theme/providers';
import { LANGUAGE_TAGS } from '../../i18n/locale';
import { NamespaceMessages } from '../namespace-messages';
import { readScriptNonce } from '../session';

export const metadata: Metadata = {
  title: { default: 'Brickdesk', template: '%s - Brickdesk' },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { colorScheme: 'light dark' };

/** The layout of the back office: in the reader's language and with Mantine, which the documentation does not use. */
export default async function BackOfficeLayout({ children }: { children: ReactNode }) {
  return (
    <html lang={LANGUAGE_TAGS[await getLocale()]} className={fontClasses} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript
          nonce={await readScriptNonce()}
          defaultColorScheme="auto"
          suppressHydrationWarning
        />
        <PaintAtPageEnd />
      </head>
      <body>
        <NamespaceMessages namespaces={[]}>
          <Providers>{children}</Providers>
        </NamespaceMessages>
        <PageEnd />
      </body>
    </html>
  );
}
