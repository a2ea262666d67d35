'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { AppRouter } from '../../server/trpc/router';
import { useTRPC } from '../api/client';
import { CopyId } from '../shared/copy-id';
import { Day } from '../shared/day';
import { RANGE_NAMES, readRange } from '../shared/day-range';
import { DayRangeFilter } from '../shared/day-range-filter';
import { useFigureText } from '../shared/figure-text';
import { Figures } from '../shared/figures';
import { FilterChoice } from '../shared/filter-choice';
import { Instant } from '../shared/instant';
import { useListAddress, valuesOf } from '../shared/list-address';
import { ListPage } from '../shared/list-page';
import { useDesk } from '../shell/desk';
import { DownloadLink } from './download-link';
import { FieldChart } from './field-chart';
import { useFieldColumns } from './field-columns';
import { kindOf, LISTING_FIELD_ORDER, type ListingField, useFieldName } from './fields';
import { useKnownShops } from './known-shops';
import { MOST_DAYS, MOST_NAMED, sortOf } from './limits';
import { RangeToolbar } from './range-toolbar';
import styles from './statistics.module.css';
import { UpsertCall } from './upsert-call';

type ListingDay = inferRouterOutputs<AppRouter>['statistics']['listingDays']['days'][number];

const TOTALS: readonly ListingField[] = ['orders', 'revenue', 'visits', 'spent_total', 'ad_revenue', 'roas'];
const HIDDEN: readonly ListingField[] = ['total_views', 'impression_count', 'click_rate', 'conversions'];

/** The days of one listing. */
export function ListingDaysPage({ listing }: { listing: number }) {
  const t = useTranslations('statistics');
  const text = useFigureText();
  const nameOfField = useFieldName();
  const trpc = useTRPC();
  const { prefix } = useDesk();
  const { options, nameOf } = useKnownShops();
  const address = useListAddress([...RANGE_NAMES, 'shop', 'chart']);
  const search = keptSearch(useSearchParams());
  const range = readRange(address, MOST_DAYS);
  const shops = valuesOf(address.filters.shop).slice(0, MOST_NAMED);
  const filter = {
    listing_ids: [listing],
    shop_ids: shops.length > 0 ? shops : undefined,
    from: range.from,
    to: range.to,
  };
  const field = LISTING_FIELD_ORDER.find((name) => name === address.filters.chart) ?? 'revenue';
  const kept = { placeholderData: keepPreviousData, meta: { ownError: true } };
  const { data: sums } = useQuery(trpc.statistics.listingSeries.queryOptions(filter, kept));
  const { data, ...query } = useQuery(
    trpc.statistics.listingDays.queryOptions(
      { ...filter, ...sortOf(address, ['date', 'shop_id', ...LISTING_FIELD_ORDER]), cursor: address.cursor },
      kept,
    ),
  );
  const columns = useFieldColumns(LISTING_FIELD_ORDER, HIDDEN);
  const title = sums?.listings[0]?.title ?? t('listings.untitled', { id: String(listing) });
  return (
    <ListPage<ListingDay>
      id="listing-days"
      title={title}
      back={{ href: `${prefix}/statistics/listings${search}`, label: t('listings.back') }}
      beside={<CopyId value={String(listing)} />}
      actions={<UpsertCall kind="listing" example={data?.days[0]} />}
      address={address}
      tools={<DownloadLink kind="listing" shops={shops} listing={listing} from={range.from} to={range.to} />}
      query={{ ...query, data: data && { rows: data.days, next: data.next } }}
      rowKey={({ shop_id, date }) => `${shop_id} ${date}`}
      columns={[
        {
          key: 'date',
          label: t('day'),
          heading: true,
          sort: 'date',
          render: ({ date }) => <Day day={date} />,
        },
        { key: 'shop', label: t('shop'), sort: 'shop_id', render: ({ shop_id }) => nameOf(shop_id) },
        ...columns,
        {
          key: 'updated',
          label: t('updated'),
          hidden: true,
          render: ({ updated_at: at }) => <Instant value={at} />,
        },
      ]}
      empty={{ title: t('listings.none'), hint: t('listings.noneHint') }}
    >
      <RangeToolbar>
        <DayRangeFilter address={address} range={range} />
        <FilterChoice address={address} name="shop" label={t('shops')} options={options} />
      </RangeToolbar>
      <div className={styles.sums}>
        <Figures
          label={t('sums')}
          figures={TOTALS.map((name) => ({
            label: nameOfField(name),
            value: sums && text.of(kindOf(name), sums.together.total[name]),
          }))}
        />
        <FieldChart
          fields={LISTING_FIELD_ORDER}
          field={field}
          onField={(chart) => address.setFilters({ chart })}
          range={range}
          series={sums && [{ key: 'listing', label: title, days: sums.together.days }]}
        />
      </div>
    </ListPage>
  );
}

/** The days and shops of the list that the reader came from. */
function keptSearch(parameters: URLSearchParams): string {
  const kept = [...parameters].filter(
    ([name]) => name === 'shop' || RANGE_NAMES.some((range) => range === name),
  );
  const search = new URLSearchParams(kept).toString();
  return search === '' ? '' : `?${search}`;
}
