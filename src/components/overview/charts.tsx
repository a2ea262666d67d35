'use client';

import { NativeSelect, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { RouterOutputs } from '../api/router-types';
import { DayChart } from '../ui/chart/day-chart';
import { useFigureText } from '../ui/chart/figure-text';
import styles from './overview.module.css';

type OverviewFigures = RouterOutputs['overview']['read'];

/** The days as charts. Amounts in different currencies never share a chart: the reader chooses one. */
export function Charts({ data }: { data: OverviewFigures | undefined }) {
  const t = useTranslations('overview');
  const text = useFigureText();
  const days = data?.days;
  const [wanted, setWanted] = useState<string>();
  const [wantedAds, setWantedAds] = useState<string>();
  const sold = (data?.revenue ?? []).map(({ currency }) => currency);
  const spent = (data?.advertising.amounts ?? []).map(({ currency }) => currency);
  const currency = chosenOf(sold, wanted);
  const adCurrency = chosenOf(spent, wantedAds);
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
          <CurrencyChoice
            currencies={sold}
            chosen={currency}
            label={t('charts.currency')}
            onChoose={setWanted}
          />
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
        choice={
          <CurrencyChoice
            currencies={spent}
            chosen={adCurrency}
            label={t('charts.adCurrency')}
            onChoose={setWantedAds}
          />
        }
        series={[
          { key: 'spend', label: t('figures.spend'), type: 'line' },
          { key: 'revenue', label: t('figures.adRevenue'), type: 'line' },
        ]}
        days={days?.map(({ day, ad_amounts: amounts }) => {
          const one = amounts.find((each) => each.currency === adCurrency);
          return { day, figures: { spend: one?.spend ?? 0, revenue: one?.revenue ?? 0 } };
        })}
        say={(figure) => text.money(figure, adCurrency)}
      />
    </Stack>
  );
}

/** The currency that the reader chose, if it is available, otherwise the first. */
const chosenOf = (currencies: readonly string[], wanted: string | undefined): string | null =>
  currencies.find((each) => each === wanted) ?? currencies[0] ?? null;

interface ChoiceProps {
  currencies: readonly string[];
  chosen: string | null;
  label: string;
  onChoose: (currency: string) => void;
}

function CurrencyChoice({ currencies, chosen, label, onChoose }: ChoiceProps) {
  if (currencies.length < 2) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={chosen ?? ''}
      data={[...currencies]}
      onChange={({ currentTarget: { value } }) => onChoose(value)}
    />
  );
}
