'use client';

import { Anchor, Text } from '@mantine/core';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { RouterOutputs } from '../api/router-types';
import { Change } from '../ui/chart/change';
import { useFigureText } from '../ui/chart/figure-text';
import { Figures } from '../ui/chart/figures';
import type { ListLinks } from './list-links';
import styles from './overview.module.css';
import { ReportState } from './report-state';

type OverviewFigures = RouterOutputs['overview']['read'];
type Currency = OverviewFigures['currencies'][number];
type DayCurrency = OverviewFigures['days'][number]['currencies'][number];
type Amounts = 'revenue' | 'ad_spend' | 'roas' | 'profit';

const BETTER = { revenue: 'up', ad_spend: 'down', roas: 'up', profit: 'up' } as const;

interface Props {
  data: OverviewFigures | undefined;
  deliveries: RouterOutputs['overview']['deliveries'] | undefined;
  /** The currency of the large figures; other currencies are below them. */
  currency: string | null;
  links: ListLinks;
}

/**
 * The six figures of the range, each compared with the previous period. Amounts are per currency and never added across currencies.
 */
export function RangeFigures({ data, deliveries, currency, links }: Props) {
  const t = useTranslations('overview');
  const text = useFigureText();
  const chosenSums = data?.currencies.find((sums) => sums.currency === currency);
  const others = data?.currencies.filter((sums) => sums !== chosenSums) ?? [];
  const amountText = (name: Amounts, sums: Currency) =>
    name === 'roas'
      ? text.figure('ratio', sums.roas?.value ?? null)
      : text.money(sums[name]?.value ?? null, sums.currency);

  const amountFigure = (name: Amounts, label: string, note: ReactNode, href: string | undefined) => ({
    label: name === 'roas' || currency === null ? label : t('figures.in', { label, currency }),
    value:
      data && (chosenSums?.[name] ? amountText(name, chosenSums) : name === 'revenue' ? '–' : t('noReport')),
    change: chosenSums?.[name] && <Change change={chosenSums[name].change} better={BETTER[name]} />,
    others: others.some((of) => of[name] && Number(of[name].value) !== 0) && (
      <span className={styles.others}>
        {others.flatMap((of) =>
          of[name] && Number(of[name].value) !== 0 ? (
            <span key={of.currency}>
              {name === 'roas' ? `${of.currency} ${amountText(name, of)}` : amountText(name, of)}{' '}
              <Change change={of[name].change} better={BETTER[name]} />
            </span>
          ) : (
            []
          ),
        )}
      </span>
    ),
    note,
    values: data?.days.map(({ currencies }) => numberOf(currencies, currency, name)),
    href,
  });
  const time = deliveries?.time;
  const report = <ReportState shops={data?.shops ?? []} />;
  return (
    <section aria-label={t('figures.title')} className={styles.figures}>
      <Figures
        label={t('figures.title')}
        figures={[
          amountFigure('revenue', t('figures.revenue'), t('source.orders'), links.soldOrders()),
          {
            label: t('figures.orders'),
            value: data && text.figure('count', data.orders.value),
            change: data && <Change change={data.orders.change} better="up" />,
            note: data && t('source.pieces', { count: data.quantity }),
            values: data?.days.map(({ orders }) => orders),
            href: links.soldOrders(),
          },
          amountFigure('ad_spend', t('figures.spend'), report, links.statistics()),
          amountFigure('roas', t('figures.roas'), report, links.statistics()),
          amountFigure('profit', t('figures.profit'), t('source.profit'), links.statistics()),
          {
            label: t('figures.deliveryTime'),
            value: deliveries && (time ? t('days', { days: time.value }) : '–'),
            change: time && <Change change={time.change} better="down" />,
            note: deliveries && t('source.deliveries', { count: deliveries.deliveries }),
            href: links.soldOrders({ tracking: 'delivered' }),
          },
        ]}
      />
      <FigureNotes data={data} links={links} />
    </section>
  );
}

function numberOf(currencies: readonly DayCurrency[], currency: string | null, name: Amounts): number | null {
  const found = currencies.find((sums) => sums.currency === currency);
  if (name === 'revenue') return Number(found?.revenue ?? 0);
  const value = found?.[name] ?? null;
  return value === null ? null : Number(value);
}

/** Explains what the figures mean and leave out. */
function FigureNotes({ data, links }: Pick<Props, 'data' | 'links'>) {
  const t = useTranslations('overview');
  const format = useFormatter();
  const shopsWithoutCurrency = data?.without_currency ?? [];
  return (
    <Text size="xs" c="dimmed">
      {t('revenueMeans')} {t('profitMeans')}
      {data && data.orders_without_currency > 0 && (
        <> {t('ordersWithoutCurrency', { count: data.orders_without_currency })}</>
      )}
      {shopsWithoutCurrency.length > 0 && (
        <>
          {' '}
          {t.rich('adsWithoutCurrency', {
            shops: format.list(shopsWithoutCurrency.map(({ name }) => name)),
            link: (chunks) => (
              <Anchor component={Link} prefetch={false} size="xs" href={links.page('/shops')}>
                {chunks}
              </Anchor>
            ),
          })}
        </>
      )}
    </Text>
  );
}
