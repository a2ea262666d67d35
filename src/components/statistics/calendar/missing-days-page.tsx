'use client';

import { NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { useNewYorkToday } from '../../shell/current-time';
import { ChoiceFilter } from '../../ui/list/filter/choice-filter';
import { SelectFilter } from '../../ui/list/filter/list-filters';
import { EmptyState, LoadError } from '../../ui/list/list-states';
import { useListUrl } from '../../ui/list/use-list-url';
import { PageHeader } from '../../ui/page/page-header';
import { useKnownShops } from '../known-shops';
import {
  DEFAULT_MONTH_COUNT,
  MISSING_DAYS_FILTERS,
  MONTH_CHOICES,
  missingDaysQuery,
  readMissingDaysFilter,
} from '../queries';
import { RangeToolbar } from '../range-toolbar';
import { ShopCalendar } from './shop-calendar';

/** For each shop, a calendar that shows the days without data. */
export function MissingDaysPage() {
  const t = useTranslations('statistics');
  const trpc = useTRPC();
  const { shops, options, nameOf } = useKnownShops();
  const url = useListUrl(MISSING_DAYS_FILTERS);
  const today = useNewYorkToday();
  const filter = readMissingDaysFilter(url, shops, today);
  const { monthCount, months, shopIds } = filter;
  const { data, error, refetch, isFetching } = useQuery(missingDaysQuery(trpc, filter));
  const shopsWithData = data?.filter(({ first_day }) => first_day !== null);
  const shownShops =
    shopsWithData ?? shopIds.map((shop_id) => ({ shop_id, first_day: null, missing: null, today }));
  return (
    <>
      <PageHeader title={t('title')} />
      <RangeToolbar>
        <SelectFilter
          url={url}
          name="kind"
          label={t('kind')}
          options={[{ value: 'listing', label: t('kinds.listing') }]}
          noneLabel={t('kinds.shop')}
        />
        <NativeSelect
          aria-label={t('missing.months')}
          value={String(monthCount)}
          data={MONTH_CHOICES.map((count) => ({
            value: String(count),
            label: t('missing.monthCount', { count }),
          }))}
          onChange={({ currentTarget: { value } }) =>
            url.setFilters({ months: value === String(DEFAULT_MONTH_COUNT) ? undefined : value })
          }
        />
        <ChoiceFilter url={url} name="shop" label={t('shops')} options={options} />
      </RangeToolbar>
      <Text c="dimmed" maw={720} mb="md">
        {t('missing.description')}
      </Text>
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (shops && shopIds.length === 0) || shopsWithData?.length === 0 ? (
        <EmptyState url={url} empty={{ title: t('missing.none'), hint: t('missing.noneHint') }} />
      ) : (
        <Stack gap={0} aria-busy={isFetching}>
          {shownShops.map((shop) => (
            <ShopCalendar
              key={shop.shop_id}
              name={nameOf(shop.shop_id)}
              firstDay={shop.first_day}
              missingDays={shop.missing}
              months={months}
              today={shop.today}
            />
          ))}
        </Stack>
      )}
    </>
  );
}
