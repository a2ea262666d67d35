'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { useNewYorkToday } from '../../shell/current-time';
import { RANGE_PARAMETERS, readRange } from '../../ui/list/filter/day-range';
import { ListPage } from '../../ui/list/list-page';
import { useListUrl } from '../../ui/list/use-list-url';
import { CopyableText } from '../../ui/value/copyable-text';
import { LISTING_FIELD_ORDER, type ListingField } from '../fields';
import { createSampleUpsertRequest } from '../import/sample-upsert-request';
import { MAX_DAYS } from '../limits';
import { DAY_FILTERS, listingDaysInput, listingDaysQuery, listingSumsQuery, readShopIds } from '../queries';
import { DayAndShopFilters } from '../range-toolbar';
import { useDayColumns } from './day-columns';
import { DaySums } from './day-sums';
import { DaysDownload } from './days-download';

type ListingDay = RouterOutputs['statistics']['listingDays']['days'][number];

const TOTAL_FIELDS: readonly ListingField[] = [
  'orders',
  'revenue',
  'visits',
  'spent_total',
  'ad_revenue',
  'roas',
];
const HIDDEN_FIELDS: readonly ListingField[] = [
  'total_views',
  'impression_count',
  'click_rate',
  'conversions',
];

/** The days of one listing. */
export function ListingDaysPage({ listingId }: { listingId: number }) {
  const t = useTranslations('statistics');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const url = useListUrl(DAY_FILTERS);
  const search = readListSearch(useSearchParams());
  const range = readRange(url, MAX_DAYS, useNewYorkToday());
  const shopIds = readShopIds(url);
  const field = LISTING_FIELD_ORDER.find((name) => name === url.filters.chart) ?? 'revenue';
  const { data: sums, isPlaceholderData: areSumsStale } = useQuery(
    listingSumsQuery(trpc, listingId, url, range),
  );
  const { data, ...query } = useQuery(listingDaysQuery(trpc, listingId, url, range));
  const columns = useDayColumns(LISTING_FIELD_ORDER, HIDDEN_FIELDS);
  const title = sums?.listings[0]?.title ?? t('listings.untitled', { id: String(listingId) });
  return (
    <ListPage<ListingDay>
      id="listing-days"
      title={title}
      back={{ href: `${prefix}/statistics/listings${search}`, label: t('listings.back') }}
      beside={<CopyableText value={String(listingId)} />}
      api={createSampleUpsertRequest('listing', {
        example: data?.days[0],
        marketplaceShopId: shopIds[0],
        day: range.to,
      })}
      url={url}
      tools={(shownColumns) => (
        <DaysDownload
          kind="listing"
          path="listing-days"
          input={listingDaysInput(listingId, url, range)}
          columns={shownColumns}
          shopIds={shopIds}
          listingId={listingId}
          from={range.from}
          to={range.to}
        />
      )}
      query={{ ...query, data: data && { rows: data.days, next: data.next } }}
      rowKey={({ shop_id, date }) => `${shop_id} ${date}`}
      columns={columns}
      empty={{
        title: t('listings.none'),
        hint: hasPermission(user.role, 'statistics.write') ? t('listings.noneHint') : t('chooseOtherDays'),
      }}
    >
      <DayAndShopFilters url={url} range={range} />
      <DaySums
        totalFields={TOTAL_FIELDS}
        sums={sums}
        isStale={areSumsStale}
        label={title}
        fields={LISTING_FIELD_ORDER}
        field={field}
        onFieldChange={(chart) => url.setFilters({ chart })}
        range={range}
      />
    </ListPage>
  );
}

/** Returns the query of the link back to the list: the days and shops in the URL, with a question mark; empty if there are none. */
function readListSearch(parameters: URLSearchParams): string {
  const keptParameters = [...parameters].filter(
    ([name]) => name === 'shop' || RANGE_PARAMETERS.some((parameter) => parameter === name),
  );
  const search = new URLSearchParams(keptParameters).toString();
  return search === '' ? '' : `?${search}`;
}
