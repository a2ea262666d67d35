import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ChoiceFilter } from '../ui/list/filter/choice-filter';
import type { DayRange, RANGE_PARAMETERS } from '../ui/list/filter/day-range';
import { DayRangeFilter } from '../ui/list/filter/day-range-filter';
import type { ListUrl } from '../ui/list/list-url';
import { useKnownShops } from './known-shops';
import styles from './statistics.module.css';

/** The row of filters of a statistics page. */
export function RangeToolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>;
}

/** The filters for days and shops on a statistics page. */
export function DayAndShopFilters({
  url,
  range,
}: {
  url: ListUrl<'shop' | (typeof RANGE_PARAMETERS)[number]>;
  range: DayRange;
}) {
  const t = useTranslations('statistics');
  const { options } = useKnownShops();
  return (
    <RangeToolbar>
      <DayRangeFilter url={url} range={range} />
      <ChoiceFilter url={url} name="shop" label={t('shops')} options={options} />
    </RangeToolbar>
  );
}
