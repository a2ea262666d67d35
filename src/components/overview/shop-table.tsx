'use client';

import { Badge, Button, Skeleton, Title } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type MouseEvent, useState } from 'react';
import type { RouterOutputs } from '../api/router-types';
import { QUEUE_NAMES } from '../queues/queue-names';
import { Change } from '../ui/chart/change';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import { FigureTable } from './figure-table';
import type { ListLinks } from './list-links';

type Shop = RouterOutputs['overview']['read']['shops'][number];

/** How many shops are shown at first. */
const SHORT_LENGTH = 10;

/** Whether a shop has nothing to show: neither sales and reports in the range nor orders to ship. */
const isIdle = (shop: Shop) =>
  shop.orders.value === 0 && shop.revenue.length === 0 && shop.report_days === 0 && shop.to_ship === 0;

/**
 * The figures of each shop in the range; the revenue is compared with that of the previous period. Idle shops come last, because a
 * seller may have dozens of them.
 */
export function ShopTable({ shops, links }: { shops: readonly Shop[] | undefined; links: ListLinks }) {
  const t = useTranslations('overview');
  const common = useTranslations('common');
  const figureFormatter = useFigureFormatter();
  const [showsAll, setShowsAll] = useState(false);
  const showAll = ({ currentTarget }: MouseEvent) => {
    // The button disappears.
    currentTarget.closest('section')?.focus({ preventScroll: true });
    setShowsAll(true);
  };
  const sortedShops = shops && [...shops].sort((a, b) => Number(isIdle(a)) - Number(isIdle(b)));
  const shopParameter = (shop: Shop) => ({ shop: String(shop.id) });
  return (
    <section aria-labelledby="shops" tabIndex={-1}>
      <Title order={2} id="shops" className="visually-hidden">
        {t('shops')}
      </Title>
      {sortedShops ? (
        <FigureTable
          label={t('shops')}
          rows={showsAll ? sortedShops : sortedShops.slice(0, SHORT_LENGTH)}
          rowKey={(shop) => shop.id}
          columns={[
            {
              label: t('shop'),
              render: (shop) => (
                <Link href={links.page('', shopParameter(shop))} prefetch={false}>
                  {shop.name}
                </Link>
              ),
            },
            {
              label: t('figures.orders'),
              render: (shop) => (
                <Link href={links.soldOrders(shopParameter(shop))} prefetch={false}>
                  {figureFormatter.figure('count', shop.orders.value)}
                </Link>
              ),
            },
            {
              label: t('figures.revenue'),
              render: ({ revenue }) =>
                revenue.length === 0
                  ? '–'
                  : revenue.map(({ currency, revenue: { value } }) => (
                      <div key={currency}>{figureFormatter.money(value, currency)}</div>
                    )),
            },
            {
              label: t('change'),
              render: ({ revenue }) =>
                revenue.length === 0 ? (
                  <Change change={null} />
                ) : (
                  revenue.map(({ currency, revenue: { change } }) => (
                    <div key={currency}>
                      <Change change={change} betterDirection="up" />
                    </div>
                  ))
                ),
            },
            {
              label: t('figures.spend'),
              render: (shop) => figureFormatter.money(shop.ad_spend?.value ?? null, shop.currency),
            },
            {
              label: t('figures.roas'),
              render: (shop) => figureFormatter.figure('ratio', shop.roas?.value ?? null),
            },
            {
              label: t('figures.profit'),
              render: (shop) => figureFormatter.money(shop.profit?.value ?? null, shop.currency),
            },
            {
              label: common(QUEUE_NAMES.to_ship),
              render: (shop) => (
                <Link href={links.queue('to_ship', shopParameter(shop))} prefetch={false}>
                  {figureFormatter.figure('count', shop.to_ship)}
                </Link>
              ),
            },
            { label: t('statistics'), render: (shop) => <ReportBadge shop={shop} links={links} /> },
          ]}
        />
      ) : (
        <Skeleton height={120} radius="sm" />
      )}
      {!showsAll && sortedShops && sortedShops.length > SHORT_LENGTH && (
        <Button variant="subtle" size="compact-sm" mt={8} onClick={showAll}>
          {t('showAllShops', { count: sortedShops.length })}
        </Button>
      )}
    </section>
  );
}

/** A badge for the marketplace's reports in the range: there are none, they are complete, or some days are missing. */
function ReportBadge({ shop, links }: { shop: Shop; links: ListLinks }) {
  const t = useTranslations('overview');
  if (shop.report_days === 0) return <Badge color="gray">{t('noReport')}</Badge>;
  if (shop.missing_days === 0) return <Badge color="green">{t('complete')}</Badge>;
  return (
    <Link href={links.page('/statistics/missing', { shop: shop.shop_id ?? undefined })} prefetch={false}>
      <Badge color="yellow" style={{ cursor: 'inherit' }}>
        {t('missingDays', { count: shop.missing_days })}
      </Badge>
    </Link>
  );
}
