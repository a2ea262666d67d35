'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { useNewYorkToday } from '../../shell/current-time';
import { readRange } from '../../ui/list/filter/day-range';
import { ListPage } from '../../ui/list/list-page';
import { useListUrl } from '../../ui/list/use-list-url';
import { SHOP_FIELD_ORDER, type ShopField } from '../fields';
import { ImportLink } from '../import/import-link';
import { createSampleUpsertRequest } from '../import/sample-upsert-request';
import { useKnownShops } from '../known-shops';
import { MAX_CHART_LINES, MAX_DAYS } from '../limits';
import { DAY_FILTERS, readShopIds, shopDaysInput, shopDaysQuery, shopSumsQuery } from '../queries';
import { DayAndShopFilters } from '../range-toolbar';
import { useDayColumns } from './day-columns';
import { DaySums } from './day-sums';
import { DaysDownload } from './days-download';

type ShopDay = RouterOutputs['statistics']['shopDays']['days'][number];

const TOTAL_FIELDS: readonly ShopField[] = [
  'total_orders',
  'total_revenue',
  'total_visits',
  'conversion_rate',
  'ad_spend',
  'ad_revenue',
];
const HIDDEN_FIELDS: readonly ShopField[] = [
  'total_views',
  'ad_impressions',
  'ad_click_rate',
  'ad_orders',
  'ad_revenue_ratio',
];

/** The stored days of the shops: their sums, a chart of one field, and a list of all days. */
export function ShopDaysPage() {
  const t = useTranslations('statistics');
  const trpc = useTRPC();
  const { nameOf } = useKnownShops();
  const url = useListUrl(DAY_FILTERS);
  const range = readRange(url, MAX_DAYS, useNewYorkToday());
  const shopIds = readShopIds(url);
  const field = SHOP_FIELD_ORDER.find((name) => name === url.filters.chart) ?? 'total_revenue';
  const { data: sums, isPlaceholderData: areSumsStale } = useQuery(shopSumsQuery(trpc, url, range));
  const { data, ...query } = useQuery(shopDaysQuery(trpc, url, range));
  const columns = useDayColumns(SHOP_FIELD_ORDER, HIDDEN_FIELDS);
  const { user } = useBackOffice();
  const showsShopSeries = shopIds.length > 1 && shopIds.length <= MAX_CHART_LINES;
  return (
    <ListPage<ShopDay>
      id="shop-days"
      title={t('title')}
      api={createSampleUpsertRequest('shop', {
        example: data?.days[0],
        marketplaceShopId: shopIds[0],
        day: range.to,
      })}
      url={url}
      tools={(shownColumns) => (
        <DaysDownload
          kind="shop"
          path="shop-days"
          input={shopDaysInput(url, range)}
          columns={shownColumns}
          shopIds={shopIds}
          from={range.from}
          to={range.to}
        />
      )}
      query={{ ...query, data: data && { rows: data.days, next: data.next } }}
      rowKey={({ shop_id, date }) => `${shop_id} ${date}`}
      columns={columns}
      empty={{
        title: t('shopDays.none'),
        hint: hasPermission(user.role, 'statistics.write') ? t('shopDays.noneHint') : t('chooseOtherDays'),
        action: <ImportLink kind="shop" />,
      }}
    >
      <DayAndShopFilters url={url} range={range} />
      <DaySums
        totalFields={TOTAL_FIELDS}
        sums={sums}
        isStale={areSumsStale}
        label={
          shopIds.length === 1 ? nameOf(shopIds[0]!) : t(shopIds.length === 0 ? 'together' : 'chosenShops')
        }
        shopSeries={
          showsShopSeries
            ? sums?.shops.map(({ shop_id, ...series }) => ({
                key: shop_id,
                label: nameOf(shop_id),
                ...series,
              }))
            : undefined
        }
        fields={SHOP_FIELD_ORDER}
        field={field}
        onFieldChange={(chart) => url.setFilters({ chart })}
        range={range}
      />
    </ListPage>
  );
}
