'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { messageKeys } from '../../../../i18n/message-keys';
import type { ListUrl } from '../list-url';
import { type DayRange, isDay, NAMED_RANGES, type RANGE_PARAMETERS } from './day-range';

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
  // Stored here because the URL changes with a delay: if two days are entered quickly, the second one must not restore the old
  // value of the first.
  const [days, setDays] = useState<Pick<DayRange, 'from' | 'to'>>(range);
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the range changes
  useEffect(() => {
    if (!url.isBehind()) setDays({ from: range.from, to: range.to });
  }, [range.from, range.to]);
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
        label={t('range.from')}
        day={days.from}
        onChange={(from) => chooseDays(from, from > days.to ? from : days.to)}
      />
      <DayInput
        label={t('range.to')}
        day={days.to}
        onChange={(to) => chooseDays(to < days.from ? to : days.from, to)}
      />
    </>
  );
}

/** The field for a day of a range. Ignores input that is not yet a valid date. */
function DayInput({ label, day, onChange }: { label: string; day: string; onChange: (day: string) => void }) {
  const [text, setText] = useState(day);
  useEffect(() => setText(day), [day]);
  return (
    <TextInput
      type="date"
      aria-label={label}
      title={label}
      required
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        if (isDay(value)) onChange(value);
      }}
      onBlur={() => setText(day)}
    />
  );
}
