'use client';

import { NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { AreaLinks } from '../shell/area-links';
import { newYorkDay } from '../ui/chart/new-york-days';
import { FilterChoice } from '../ui/list/filter-choice';
import { useListAddress, valuesOf } from '../ui/list/list-address';
import { FilterSelect } from '../ui/list/list-filters';
import { Empty, Failed } from '../ui/list/list-states';
import { PageHeader } from '../ui/page/page-header';
import { useKnownShops } from './known-shops';
import { MOST_NAMED } from './limits';
import { monthsBack } from './month-days';
import { RangeToolbar } from './range-toolbar';
import { ShopCalendar } from './shop-calendar';

const MONTHS = [1, 3, 6, 12, 24];
const USUAL_MONTHS = 3;

/** A calendar for each shop: which days nothing is stored of. */
export function MissingDaysPage() {
  const t = useTranslations('statistics');
  const trpc = useTRPC();
  const { shops, options, nameOf } = useKnownShops();
  const address = useListAddress(['kind', 'shop', 'months']);
  const kind = address.filters.kind === 'listing' ? 'listing' : 'shop';
  const count = MONTHS.find((number) => String(number) === address.filters.months) ?? USUAL_MONTHS;
  const months = monthsBack(newYorkDay(new Date()), count);
  const chosen = valuesOf(address.filters.shop);
  const shown = (shops ?? [])
    .filter(({ shop_id, archived, days }) =>
      chosen.length > 0 ? chosen.includes(shop_id) : !archived && (days > 0 || kind === 'listing'),
    )
    .map(({ shop_id }) => shop_id)
    .slice(0, MOST_NAMED);
  const { data, error, refetch, isFetching } = useQuery(
    trpc.statistics.missingDays.queryOptions(
      { kind, shop_ids: shown, from: months[0]!, to: months.at(-1)! },
      { enabled: shown.length > 0, placeholderData: keepPreviousData, meta: { ownError: true } },
    ),
  );
  const known = data?.filter(({ first_day }) => first_day !== null);
  return (
    <>
      <PageHeader title={t('title')} />
      <AreaLinks area="statistics" keep={['shop']} />
      <RangeToolbar>
        <FilterSelect
          address={address}
          name="kind"
          label={t('kind')}
          options={[{ value: 'listing', label: t('kinds.listing') }]}
          none={t('kinds.shop')}
        />
        <NativeSelect
          aria-label={t('missing.months')}
          value={String(count)}
          data={MONTHS.map((number) => ({
            value: String(number),
            label: t('missing.monthCount', { count: number }),
          }))}
          onChange={({ currentTarget: { value } }) =>
            address.setFilters({ months: value === String(USUAL_MONTHS) ? undefined : value })
          }
        />
        <FilterChoice address={address} name="shop" label={t('shops')} options={options} />
      </RangeToolbar>
      <Text c="dimmed" maw={720} mb="md">
        {t('missing.description')}
      </Text>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : (shops && shown.length === 0) || known?.length === 0 ? (
        <Empty address={address} empty={{ title: t('missing.none'), hint: t('missing.noneHint') }} />
      ) : (
        <Stack gap={0} aria-busy={isFetching}>
          {(known ?? shown.map((shop_id) => ({ shop_id, first_day: null, missing: null }))).map((shop) => (
            <ShopCalendar
              key={shop.shop_id}
              name={nameOf(shop.shop_id)}
              firstDay={shop.first_day}
              missing={shop.missing}
              months={months}
            />
          ))}
        </Stack>
      )}
    </>
  );
}
