'use client';

import { NativeSelect, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { DayChart } from '../ui/chart/day-chart';
import { useFigureText } from '../ui/chart/figure-text';
import styles from './overview.module.css';
import type { OverviewFigures } from './overview-page';

/** The days one by one. Currencies are never drawn over each other: one is chosen. */
export function Charts({
  days,
  revenue,
}: {
  days: OverviewFigures['days'] | undefined;
  revenue: OverviewFigures['revenue'] | undefined;
}) {
  const t = useTranslations('overview');
  const text = useFigureText();
  const [wanted, setWanted] = useState<string | null>();
  const currencies = (revenue ?? []).map(({ currency }) => currency);
  const currency = wanted !== undefined && currencies.includes(wanted) ? wanted : (currencies[0] ?? null);
  return (
    <Stack gap="lg" className={styles.charts}>
      <DayChart
        title={t('charts.orders')}
        series={[{ key: 'orders', label: t('figures.orders'), type: 'bar' }]}
        days={days?.map(({ day, orders }) => ({ day, figures: { orders } }))}
        say={(figure) => text.of('count', figure)}
      />
      <DayChart
        title={t('charts.revenue')}
        choice={
          currencies.length > 1 ? (
            <NativeSelect
              size="xs"
              aria-label={t('charts.currency')}
              value={currency ?? ''}
              data={currencies.map((code) => ({ value: code ?? '', label: code ?? t('charts.noCurrency') }))}
              onChange={({ currentTarget: { value } }) => setWanted(value === '' ? null : value)}
            />
          ) : undefined
        }
        series={[{ key: 'revenue', label: t('figures.revenue'), type: 'bar' }]}
        days={days?.map(({ day, revenue: each }) => ({
          day,
          figures: { revenue: each.find((one) => one.currency === currency)?.amount ?? 0 },
        }))}
        say={(figure) => text.money(figure, currency)}
      />
      <DayChart
        title={t('charts.advertising')}
        series={[
          { key: 'spend', label: t('figures.spend'), type: 'line' },
          { key: 'revenue', label: t('figures.adRevenue'), type: 'line' },
        ]}
        days={days?.map(({ day, ad_spend, ad_revenue }) => ({
          day,
          figures: { spend: ad_spend, revenue: ad_revenue },
        }))}
        say={(figure) => text.of('amount', figure)}
      />
    </Stack>
  );
}
