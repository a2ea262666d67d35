'use client';

import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { AreaLinks } from '../shell/area-links';
import { useDesk } from '../shell/desk';
import { RANGE_NAMES, readRange } from '../ui/list/day-range';
import { DayRangeFilter } from '../ui/list/day-range-filter';
import { FilterChoice } from '../ui/list/filter-choice';
import { ListPage } from '../ui/list/list-page';
import { useListAddress } from '../ui/list/use-list-address';
import { CopyId } from '../ui/value/copy-id';
import { DownloadLink } from './download-link';
import { useFieldColumns } from './field-columns';
import { LISTING_FIELD_ORDER, type ListingField } from './fields';
import { useKnownShops } from './known-shops';
import { MOST_DAYS } from './limits';
import { LISTING_FILTERS, MOST_LISTINGS, readShops, topListingsQuery } from './queries';
import { RangeToolbar } from './range-toolbar';
import { UpsertCall } from './upsert-call';

type Listing = RouterOutputs['statistics']['topListings'][number];

const HIDDEN: readonly ListingField[] = [
  'total_views',
  'impression_count',
  'click_rate',
  'conversions',
  'ad_revenue',
];

/** The listings with the most sales or views in a range of days. */
export function ListingsPage() {
  const t = useTranslations('statistics');
  const trpc = useTRPC();
  const { prefix } = useDesk();
  const search = useSearchParams().toString();
  const { options, nameOf } = useKnownShops();
  const address = useListAddress(LISTING_FILTERS);
  const range = readRange(address, MOST_DAYS);
  const shops = readShops(address);
  const { data, ...query } = useQuery(topListingsQuery(trpc, address));
  const columns = useFieldColumns<ListingField, Listing>(LISTING_FIELD_ORDER, HIDDEN, (row) => row.currency);
  return (
    <ListPage<Listing>
      id="listings"
      title={t('title')}
      actions={<UpsertCall kind="listing" />}
      address={{ ...address, sort: address.sort ?? { by: 'revenue', descending: true } }}
      filters={t('listings.most', { count: MOST_LISTINGS })}
      tools={<DownloadLink kind="listing" shops={shops} from={range.from} to={range.to} />}
      query={{ ...query, data: data && { rows: data, next: null } }}
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
              href={`${prefix}/statistics/listings/${id}${search && `?${search}`}`}
            >
              {title ?? t('listings.untitled', { id: String(id) })}
            </Anchor>
          ),
        },
        {
          key: 'id',
          label: t('listingId'),
          render: ({ listing_id: id }) => <CopyId value={String(id)} />,
        },
        {
          key: 'shop',
          label: t('shop'),
          render: ({ shop_ids }) => shop_ids.map(nameOf).join(', '),
        },
        ...columns,
      ]}
      empty={{ title: t('listings.none'), hint: t('listings.noneHint') }}
    >
      <AreaLinks area="statistics" keep={[...RANGE_NAMES, 'shop']} />
      <RangeToolbar>
        <DayRangeFilter address={address} range={range} />
        <FilterChoice address={address} name="shop" label={t('shops')} options={options} />
      </RangeToolbar>
    </ListPage>
  );
}
