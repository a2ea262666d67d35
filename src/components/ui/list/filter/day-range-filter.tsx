'use client';

import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../../i18n/message-keys';
import type { ListUrl } from '../list-url';
import { DayInput, useShownDays } from './day-input';
import { type DayRange, NAMED_RANGES, type RANGE_PARAMETERS } from './day-range';

const RANGE_LABELS = messageKeys('days', {
  '7d': 'range.week',
  '30d': 'range.days30',
  '90d': 'range.days90',
  month: 'range.month',
  'last-month': 'range.lastMonth',
});

/** The filter for the days that a page shows: a relative range, or a first and a last day. */
export function DayRangeFilter({
  url,
  range,
}: {
  url: ListUrl<(typeof RANGE_PARAMETERS)[number]>;
  range: DayRange;
}) {
  const t = useTranslations('days');
  const [days, setDays] = useShownDays(range, url.isBehind);
  const chooseDays = (from: string, to: string) => {
    setDays({ from, to });
    url.setFilters({ range: undefined, from, to });
  };
  return (
    <>
      <NativeSelect
        aria-label={t('range.label')}
        value={range.namedRange ?? ''}
        data={[
          ...NAMED_RANGES.map((value) => ({ value, label: t(RANGE_LABELS[value]) })),
          ...(range.namedRange ? [] : [{ value: '', label: t('range.own') }]),
        ]}
        onChange={({ currentTarget: { value } }) =>
          url.setFilters({ range: value === '30d' ? undefined : value, from: undefined, to: undefined })
        }
      />
      <DayInput
        aria-label={t('range.from')}
        title={t('range.from')}
        required
        day={days.from}
        onChange={(from) => chooseDays(from, from > days.to ? from : days.to)}
      />
      <DayInput
        aria-label={t('range.to')}
        title={t('range.to')}
        required
        day={days.to}
        onChange={(to) => chooseDays(to < days.from ? to : days.from, to)}
      />
    </>
  );
}
