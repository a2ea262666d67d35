import type { Metadata, Viewport } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { fontClasses } from '../components/theme/fonts';
import { BrandMark } from '../components/ui/brand/mark';
import { LANGUAGE_TAGS } from '../i18n/locale';
import './(site)/globals.css';

export const viewport: Viewport = { colorScheme: 'light dark' };
export const dynamic = 'force-dynamic';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('common');
  return { title: `${t('deadEnd.noPage')} - Brickdesk` };
}

export default async function NotFound() {
  const t = await getTranslations('common');
  return (
    <html lang={LANGUAGE_TAGS[await getLocale()]} className={fontClasses}>
      <body>
        <main className="sheet">
          <BrandMark size={40} />
          <h1>{t('deadEnd.noPage')}</h1>
          <p>
            <a href="/">{t('deadEnd.toStart')}</a>
          </p>
        </main>
      </body>
    </html>
  );
}
