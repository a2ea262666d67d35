'use client';

import { Anchor, Text } from '@mantine/core';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { RouterOutputs } from '../api/router-types';
import { Change } from '../ui/chart/change';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import { Figures } from '../ui/chart/figures';
import { Sentences } from '../ui/value/sentences';
import type { ListLinks } from './list-links';
import styles from './overview.module.css';
import { ReportState } from './report-state';

type OverviewFigures = RouterOutputs['overview']['read'];
type CurrencySums = OverviewFigures['currencies'][number];
type DayCurrencySums = OverviewFigures['days'][number]['currencies'][number];
type AmountName = 'revenue' | 'ad_spend' | 'roas' | 'profit';

const BETTER_DIRECTIONS = { revenue: 'up', ad_spend: 'down', roas: 'up', profit: 'up' } as const;

interface Props {
  overview: OverviewFigures | undefined;
  deliveries: RouterOutputs['overview']['deliveries'] | undefined;
  /** The currency of the large figures; other currencies are below them. */
  currency: string | null;
  links: ListLinks;
}

/**
 * The six figures of the range, each compared with the previous period. Amounts are per currency and never added across currencies.
 */
export function RangeFigures({ overview, deliveries, currency, links }: Props) {
  const t = useTranslations('overview');
  const figureFormatter = useFigureFormatter();
  const chosenSums = overview?.currencies.find((sums) => sums.currency === currency);
  const otherSums = overview?.currencies.filter((sums) => sums !== chosenSums) ?? [];
  const amountText = (name: AmountName, sums: CurrencySums) =>
    name === 'roas'
      ? figureFormatter.figure('ratio', sums.roas?.value ?? null)
      : figureFormatter.money(sums[name]?.value ?? null, sums.currency);

  const createAmountFigure = (
    name: AmountName,
    label: string,
    note: ReactNode,
    href: string | undefined,
  ) => ({
    label: name === 'roas' || currency === null ? label : t('figures.in', { label, currency }),
    value:
      overview &&
      (chosenSums?.[name] ? amountText(name, chosenSums) : name === 'revenue' ? '–' : t('noReport')),
    change: chosenSums?.[name] && (
      <Change change={chosenSums[name].change} betterDirection={BETTER_DIRECTIONS[name]} />
    ),
    otherCurrencies: otherSums.some((sums) => sums[name] && Number(sums[name].value) !== 0) && (
      <span className={styles.others}>
        {otherSums.flatMap((sums) =>
          sums[name] && Number(sums[name].value) !== 0 ? (
            <span key={sums.currency}>
              {name === 'roas' ? `${sums.currency} ${amountText(name, sums)}` : amountText(name, sums)}{' '}
              <Change change={sums[name].change} betterDirection={BETTER_DIRECTIONS[name]} />
            </span>
          ) : (
            []
          ),
        )}
      </span>
    ),
    note,
    dailyValues: overview?.days.map(({ currencies }) => dailyAmount(currencies, currency, name)),
    href,
  });
  const deliveryTime = deliveries?.time;
  const reportState = <ReportState shops={overview?.shops ?? []} />;
  return (
    <section aria-label={t('figures.title')} className={styles.figures}>
      <Figures
        label={t('figures.title')}
        figures={[
          createAmountFigure('revenue', t('figures.revenue'), t('source.orders'), links.soldOrders()),
          {
            label: t('figures.orders'),
            value: overview && figureFormatter.figure('count', overview.orders.value),
            change: overview && <Change change={overview.orders.change} betterDirection="up" />,
            note: overview && t('source.pieces', { count: overview.quantity }),
            dailyValues: overview?.days.map(({ orders }) => orders),
            href: links.soldOrders(),
          },
          createAmountFigure('ad_spend', t('figures.spend'), reportState, links.statistics()),
          createAmountFigure('roas', t('figures.roas'), reportState, links.statistics()),
          createAmountFigure('profit', t('figures.profit'), t('source.profit'), links.statistics()),
          {
            label: t('figures.deliveryTime'),
            value: deliveries && (deliveryTime ? t('days', { days: deliveryTime.value }) : '–'),
            change: deliveryTime && <Change change={deliveryTime.change} betterDirection="down" />,
            note: deliveries && t('source.deliveries', { count: deliveries.deliveries }),
            href: links.soldOrders({ tracking: 'delivered' }),
          },
        ]}
      />
      <FigureNotes overview={overview} links={links} />
    </section>
  );
}

/** Returns an amount of one day as a number; null if it was not reported. */
function dailyAmount(
  currencies: readonly DayCurrencySums[],
  currency: string | null,
  name: AmountName,
): number | null {
  const sums = currencies.find((candidate) => candidate.currency === currency);
  if (name === 'revenue') return Number(sums?.revenue ?? 0);
  const value = sums?.[name] ?? null;
  return value === null ? null : Number(value);
}

/** Explains what the figures mean and leave out. */
function FigureNotes({ overview, links }: Pick<Props, 'overview' | 'links'>) {
  const t = useTranslations('overview');
  const format = useFormatter();
  const shopsWithoutCurrency = overview?.without_currency ?? [];
  return (
    <Text size="xs" c="dimmed">
      <Sentences>
        {t('revenueMeans')}
        {t('profitMeans')}
        {overview &&
          overview.orders_without_currency > 0 &&
          t('ordersWithoutCurrency', { count: overview.orders_without_currency })}
        {shopsWithoutCurrency.length > 0 &&
          t.rich('adsWithoutCurrency', {
            shops: format.list(shopsWithoutCurrency.map(({ name }) => name)),
            link: (chunks) => (
              <Anchor component={Link} prefetch={false} size="xs" href={links.page('/shops')}>
                {chunks}
              </Anchor>
            ),
          })}
      </Sentences>
    </Text>
  );
}
