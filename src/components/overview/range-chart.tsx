'use client';

import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageKeys } from '../../i18n/message-keys';
import type { RouterOutputs } from '../api/router-types';
import { DayChart } from '../ui/chart/day-chart';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import type { ListLinks } from './list-links';
import { OrdersByTrackingStatus } from './orders-by-tracking-status';
import styles from './overview.module.css';

type OverviewFigures = RouterOutputs['overview']['read'];

const CHART_TITLES = messageKeys('overview', {
  revenue: 'charts.revenue',
  orders: 'charts.orders',
  ads: 'charts.ads',
  shipments: 'charts.shipments',
});
const CHART_NAMES = messageKeys('overview', {
  revenue: 'figures.revenue',
  orders: 'figures.orders',
  ads: 'charts.adsShort',
  shipments: 'charts.shipmentsShort',
});
const CHARTS = ['revenue', 'orders', 'ads', 'shipments'] as const;
type Chart = (typeof CHARTS)[number];

interface Props {
  overview: OverviewFigures | undefined;
  currency: string | null;
  onCurrencyChange: (currency: string) => void;
  links: ListLinks;
}

/**
 * A chart of the range. All but the shipments chart show the previous period as a grey line. Amounts in different
 * currencies never share a chart.
 */
export function RangeChart({ overview, currency, onCurrencyChange, links }: Props) {
  const t = useTranslations('overview');
  const figureFormatter = useFigureFormatter();
  const [chart, setChart] = useState<Chart>('revenue');
  const currencies = overview?.currencies.map((sums) => sums.currency) ?? [];
  const isMoney = chart === 'revenue' || chart === 'ads';
  const controls = (
    <>
      {isMoney && currencies.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('charts.currency')}
          value={currency ?? ''}
          data={currencies}
          onChange={({ currentTarget: { value } }) => onCurrencyChange(value)}
        />
      )}
      <SegmentedControl
        size="xs"
        aria-label={t('charts.choice')}
        value={chart}
        data={CHARTS.map((value) => ({ value, label: t(CHART_NAMES[value]) }))}
        onChange={(value) => setChart(CHARTS.find((name) => name === value) ?? 'revenue')}
      />
    </>
  );
  if (chart === 'shipments')
    return (
      <div className={styles.card}>
        <OrdersByTrackingStatus tracking={overview?.tracking} links={links} controls={controls} />
      </div>
    );
  const label = t(CHART_NAMES[chart]);
  return (
    <div className={styles.card}>
      <DayChart
        title={
          isMoney && currency
            ? t('figures.in', { label: t(CHART_TITLES[chart]), currency })
            : t(CHART_TITLES[chart])
        }
        headingLevel={3}
        controls={controls}
        series={[
          { key: 'before', label: t('daysBefore', { days: overview?.days.length ?? 0 }), type: 'before' },
          { key: 'now', label, type: 'bar' },
        ]}
        today={overview?.period.today ?? undefined}
        days={overview?.days.map((day) => ({ day: day.day, figures: figuresOf(day, chart, currency) }))}
        formatFigure={(figure) =>
          isMoney ? figureFormatter.money(figure, currency) : figureFormatter.figure('count', figure)
        }
      />
    </div>
  );
}

function figuresOf(day: OverviewFigures['days'][number], chart: Chart, currency: string | null) {
  if (chart === 'orders') return { now: day.orders, before: day.orders_before };
  const sums = day.currencies.find((candidate) => candidate.currency === currency);
  if (chart === 'ads') return { now: sums?.ad_spend, before: sums?.ad_spend_before };
  return { now: sums?.revenue ?? 0, before: sums?.revenue_before ?? 0 };
}
