'use client';

import { Anchor, Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { useNewYorkToday } from '../shell/current-time';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import { readRange } from '../ui/list/filter/day-range';
import { ListPage } from '../ui/list/list-page';
import { useListUrl } from '../ui/list/use-list-url';
import { CopyableText } from '../ui/value/copyable-text';
import { DaysDownload } from './days/days-download';
import { useFieldColumns } from './field-columns';
import { LISTING_FIELD_ORDER, type ListingField } from './fields';
import { ImportLink } from './import/import-link';
import { createSampleUpsertRequest } from './import/sample-upsert-request';
import { useKnownShops } from './known-shops';
import { MAX_DAYS } from './limits';
import { LISTING_FILTERS, listingsInput, MAX_LISTINGS, readShopIds, topListingsQuery } from './queries';
import { DayAndShopFilters } from './range-toolbar';

type Listing = RouterOutputs['statistics']['topListings'][number];

const HIDDEN_FIELDS: readonly ListingField[] = [
  'total_views',
  'impression_count',
  'click_rate',
  'conversions',
  'ad_revenue',
];

/** The profit of a listing after advertising; a loss is marked. */
function Profit({ profit, currency }: Pick<Listing, 'profit' | 'currency'>) {
  const t = useTranslations('statistics');
  const figureFormatter = useFigureFormatter();
  const isLoss = profit !== null && profit < 0;
  return (
    <Text span inherit fw={600} c={isLoss ? 'var(--mantine-color-error)' : undefined}>
      {figureFormatter.money(profit, currency)}
      {isLoss && (
        <Badge color="red" ml={4}>
          {t('listings.loses')}
        </Badge>
      )}
    </Text>
  );
}

/** The top listings in a range of days, by any figure. */
export function ListingsPage() {
  const t = useTranslations('statistics');
  const format = useFormatter();
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const queryString = useSearchParams().toString();
  const { nameOf } = useKnownShops();
  const url = useListUrl(LISTING_FILTERS);
  const range = readRange(url, MAX_DAYS, useNewYorkToday());
  const shopIds = readShopIds(url);
  const { data, ...query } = useQuery(topListingsQuery(trpc, url, range));
  const columns = useFieldColumns<ListingField, Listing>(
    LISTING_FIELD_ORDER,
    HIDDEN_FIELDS,
    (row) => row.currency,
  );
  return (
    <ListPage<Listing>
      id="listings"
      title={t('title')}
      api={createSampleUpsertRequest('listing', { marketplaceShopId: shopIds[0], day: range.to })}
      url={{ ...url, sort: url.sort ?? { by: 'revenue', descending: true } }}
      filters={`${t('listings.most', { count: MAX_LISTINGS })} ${t('listings.source')}`}
      tools={(shownColumns) => (
        <DaysDownload
          kind="listing"
          path="listings"
          input={listingsInput(url, range)}
          columns={shownColumns}
          shopIds={shopIds}
          from={range.from}
          to={range.to}
        />
      )}
      query={{ ...query, data: data && { rows: data } }}
      rowKey={({ listing_id }) => String(listing_id)}
      columns={[
        {
          key: 'title',
          label: t('listing'),
          heading: true,
          render: ({ listing_id: id, title }) => (
            <Anchor
              component={Link}
              prefetch={false}
              href={`${prefix}/statistics/listings/${id}${queryString && `?${queryString}`}`}
            >
              {title ?? t('listings.untitled', { id: String(id) })}
            </Anchor>
          ),
        },
        {
          key: 'profit',
          label: t('profit'),
          sort: 'profit',
          numeric: true,
          card: 'labelled',
          render: ({ profit, currency }) => <Profit profit={profit} currency={currency} />,
        },
        {
          key: 'id',
          label: t('listingId'),
          render: ({ listing_id: id }) => <CopyableText value={String(id)} />,
        },
        {
          key: 'shop',
          label: t('shop'),
          card: 'fact',
          render: ({ shop_ids }) => format.list(shop_ids.map(nameOf), { style: 'narrow' }),
        },
        ...columns,
      ]}
      empty={{
        title: t('listings.none'),
        hint: hasPermission(user.role, 'statistics.write') ? t('listings.noneHint') : t('chooseOtherDays'),
        action: <ImportLink kind="listing" />,
      }}
    >
      <DayAndShopFilters url={url} range={range} />
    </ListPage>
  );
}
