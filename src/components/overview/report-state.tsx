'use client';

import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';

type Shops = RouterOutputs['overview']['read']['shops'];

/** The source of the advertising figures, and how many days and shops it does not cover. */
export function ReportState({ shops }: { shops: Shops }) {
  const t = useTranslations('overview');
  const missingDayCount = shops.reduce((sum, { missing_days: days }) => sum + days, 0);
  const unreportedShopCount = shops.filter(({ report_days: days }) => days === 0).length;
  return (
    <>
      {t('source.report')}
      {missingDayCount > 0 && ` · ${t('source.missing', { count: missingDayCount })}`}
      {unreportedShopCount > 0 &&
        unreportedShopCount < shops.length &&
        ` · ${t('source.without', { count: unreportedShopCount })}`}
    </>
  );
}
