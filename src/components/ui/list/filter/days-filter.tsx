'use client';

import { Button, Group, Stack } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../../i18n/locale';
import { plusDays } from '../../../../server/core/days';
import { PopoverButton } from '../../floating/popover-button';
import { formatDay } from '../../value/time/new-york-days';
import { dayIn, NEW_YORK, useReaderZone, useZoneName } from '../../value/time/zones';
import type { ListUrl } from '../list-url';
import { FilterButton } from './choice-filter';
import { DayInput, useShownDays } from './day-input';
import { isDay } from './day-range';
import styles from './filter.module.css';

/**
 * A filter for a range of dates, both ends included; the URL has a parameter for each end. Dates are in the reader's time zone or,
 * with `areSaleDays`, in that of sale days.
 */
export function DaysFilter<F extends string>({
  url,
  from,
  to,
  label,
  areSaleDays = false,
}: {
  url: ListUrl<F>;
  from: F;
  to: F;
  label: string;
  areSaleDays?: boolean;
}) {
  const t = useTranslations('common');
  const tag = LANGUAGE_TAGS[useLocale()];
  const readerZone = useReaderZone();
  const zoneName = useZoneName();
  const zone = areSaleDays ? NEW_YORK : readerZone;
  const today = () => dayIn(zone, new Date());
  const dayOf = (name: F) => (isDay(url.filters[name]) ? url.filters[name] : '');
  const [days, setDays] = useShownDays({ from: dayOf(from), to: dayOf(to) }, url.isBehind);
  const { from: firstDay, to: lastDay } = days;
  const setRange = (begin: string, end: string) => {
    setDays({ from: begin, to: end });
    url.setFilters({ [from]: begin, [to]: end } as Record<F, string>);
  };
  const setLastDays = (dayCount: number) => {
    const end = today();
    setRange(plusDays(end, 1 - dayCount), end);
  };
  const presets = [
    { label: t('days.today'), choose: () => setLastDays(1) },
    {
      label: t('days.yesterday'),
      choose: () => {
        const day = plusDays(today(), -1);
        setRange(day, day);
      },
    },
    ...[7, 30, 90].map((dayCount) => ({
      label: t('days.last', { days: dayCount }),
      choose: () => setLastDays(dayCount),
    })),
  ];
  return (
    <PopoverButton
      position="bottom-start"
      width={320}
      label={label}
      button={<FilterButton label={label} valueText={useRangeText(firstDay, lastDay, tag)} />}
    >
      {() => (
        <Stack gap="sm">
          <Group gap={4}>
            {presets.map(({ label: name, choose }) => (
              <Button key={name} variant="default" size="compact-sm" onClick={choose}>
                {name}
              </Button>
            ))}
          </Group>
          <div className={styles.days}>
            <DayInput
              label={t('days.from')}
              day={firstDay}
              max={lastDay || undefined}
              onChange={(day) => setRange(day, lastDay)}
            />
            <DayInput
              label={t('days.to')}
              day={lastDay}
              min={firstDay || undefined}
              onChange={(day) => setRange(firstDay, day)}
            />
          </div>
          <Group justify="space-between">
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={firstDay === '' && lastDay === ''}
              onClick={() => setRange('', '')}
            >
              {t('list.clear', { name: label })}
            </Button>
            <span className={styles.hint}>{t('days.zone', { zone: zoneName(zone) })}</span>
          </Group>
        </Stack>
      )}
    </PopoverButton>
  );
}

/** Returns a range of dates as text; an empty string if neither end is set. */
function useRangeText(firstDay: string, lastDay: string, tag: string): string {
  const t = useTranslations('common');
  if (firstDay === '' && lastDay === '') return '';
  if (firstDay === lastDay) return formatDay(firstDay, tag);
  if (lastDay === '') return t('days.since', { day: formatDay(firstDay, tag) });
  if (firstDay === '') return t('days.until', { day: formatDay(lastDay, tag) });
  return `${formatDay(firstDay, tag)} – ${formatDay(lastDay, tag)}`;
}
