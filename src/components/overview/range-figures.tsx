'use client';

import { Anchor, Text } from '@mantine/core';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { useFigureText } from '../ui/chart/figure-text';
import { Figures } from '../ui/chart/figures';
import type { ListLinks } from './list-links';

type OverviewFigures = RouterOutputs['overview']['read'];

/** Sales in the range, and the effect of advertising on them; amounts per currency, never added across. */
export function RangeFigures({ data, links }: { data: OverviewFigures | undefined; links: ListLinks }) {
  const t = useTranslations('overview');
  const text = useFigureText();
  const format = useFormatter();
  const ads = data?.advertising;
  const [most, ...others] = data?.revenue ?? [];
  const orders = links.soldOrders();
  const statistics = links.statistics();
  const [adMost, ...adOthers] = ads?.amounts ?? [];
  const without = ads?.without_currency ?? [];
  const clickRate = ads && ads.impressions > 0 ? (100 * ads.clicks) / ads.impressions : null;
  return (
    <>
      <Figures
        label={t('sales')}
        figures={[
          {
            label: t('figures.orders'),
            value: data && text.of('count', data.orders),
            note: data && t('figures.perDay', { number: data.orders / Math.max(data.days.length, 1) }),
            href: orders,
          },
          {
            label: t('figures.items'),
            value: data && text.of('count', data.items),
            note: data && t('figures.pieces', { count: data.quantity }),
            href: orders,
          },
          {
            label: t('figures.revenue'),
            value: data && (most ? text.money(most.amount, most.currency) : '–'),
            note: others.map(({ amount, currency }) => text.money(amount, currency)).join(' · '),
            href: orders,
          },
        ]}
      />
      <Text size="sm" c="dimmed">
        {t('revenueMeans')}
        {data && data.orders_without_currency > 0 && (
          <> {t('ordersWithoutCurrency', { count: data.orders_without_currency })}</>
        )}
      </Text>
      <Figures
        label={t('advertising')}
        figures={[
          {
            label: t('figures.impressions'),
            value: ads && text.of('count', ads.impressions),
            href: statistics,
          },
          {
            label: t('figures.clicks'),
            value: ads && text.of('count', ads.clicks),
            note: clickRate !== null && t('figures.clickRate', { rate: text.of('rate', clickRate) }),
            href: statistics,
          },
          {
            label: t('figures.spend'),
            value: ads && (adMost ? text.money(adMost.spend, adMost.currency) : '–'),
            note: adOthers.map(({ spend, currency }) => text.money(spend, currency)).join(' · '),
            href: statistics,
          },
          {
            label: t('figures.adRevenue'),
            value: ads && (adMost ? text.money(adMost.revenue, adMost.currency) : '–'),
            note: adOthers.map(({ revenue, currency }) => text.money(revenue, currency)).join(' · '),
            href: statistics,
          },
          {
            label: t('figures.roas'),
            value: ads && text.of('ratio', adMost?.roas ?? null),
            note: adOthers.map(({ roas, currency }) => `${currency} ${text.of('ratio', roas)}`).join(' · '),
            href: statistics,
          },
        ]}
      />
      {without.length > 0 && (
        <Text size="sm" c="dimmed">
          {t.rich('adsWithoutCurrency', {
            shops: format.list(without.map(({ name }) => name)),
            link: (words) => (
              <Anchor component={Link} href={links.page('/shops')}>
                {words}
              </Anchor>
            ),
          })}
        </Text>
      )}
    </>
  );
}
