'use client';

import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';

type Shops = RouterOutputs['overview']['read']['shops'];

/** The source of the advertising figures, and how many days and shops are missing. */
export function ReportState({ shops }: { shops: Shops }) {
  const t = useTranslations('overview');
  const missing = shops.reduce((sum, { missing_days: days }) => sum + days, 0);
  const without = shops.filter(({ report_days: days }) => days === 0).length;
  return (
    <>
      {t('source.report')}
      {missing > 0 && ` · ${t('source.missing', { count: missing })}`}
      {without > 0 && without < shops.length && ` · ${t('source.without', { count: without })}`}
    </>
  );
}
