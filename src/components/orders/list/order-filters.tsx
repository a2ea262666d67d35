'use client';

import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import { ORDER_STATUSES, ORDER_TRACKING_STATUSES } from '../../../server/core/statuses';
import { useTRPC } from '../../api/client';
import { ChoiceFilter } from '../../ui/list/filter/choice-filter';
import { DaysFilter } from '../../ui/list/filter/days-filter';
import { SelectFilter, TextFilter } from '../../ui/list/filter/list-filters';
import type { ListUrl } from '../../ui/list/list-url';
import { useCountryName, useCountrySort } from '../../ui/value/country-names';
import { useStatusName, useStatusOptions } from '../../ui/value/status-badge';
import type { OrderFilterName } from './order-filter';

const UNSHIPPED_DAY_COUNTS = ['1', '2', '3', '5', '7', '14', '30'];

/**
 * The filters of the orders list.
 *
 * @param hiddenFilters the filters that the tab sets itself or that make no sense in it
 */
export function OrderFilters({
  url,
  hiddenFilters,
}: {
  url: ListUrl<OrderFilterName>;
  hiddenFilters: readonly OrderFilterName[];
}) {
  const t = useTranslations('orders');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const statusName = useStatusName();
  const statusOptions = useStatusOptions();
  const [needsCountries, setNeedsCountries] = useState(false);
  const countryOptions = useCountryOptions(needsCountries || url.filters.country !== undefined);
  const { data: shops = [] } = useQuery(trpc.shops.names.queryOptions());
  const { unshipped, import: importId } = url.filters;
  // A link may use a number of days that is not in the list.
  const dayCounts = [...new Set([...UNSHIPPED_DAY_COUNTS, ...(unshipped ? [unshipped] : [])])];
  return (
    <>
      <TextFilter url={url} name="q" label={t('search')} />
      <ChoiceFilter
        url={url}
        name="shop"
        label={t('shop')}
        options={shops.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      {!hiddenFilters.includes('status') && (
        <ChoiceFilter url={url} name="status" label={t('status')} options={statusOptions(ORDER_STATUSES)} />
      )}
      {!hiddenFilters.includes('tracking') && (
        <ChoiceFilter
          url={url}
          name="tracking"
          label={t('tracking')}
          options={ORDER_TRACKING_STATUSES.map((value) => ({
            value,
            label: value === 'none' ? t('noShipment') : statusName(value),
          }))}
        />
      )}
      <DaysFilter url={url} from="from" to="to" label={t('sold')} areSaleDays />
      <ChoiceFilter
        url={url}
        name="country"
        label={t('country')}
        options={countryOptions}
        onOpen={() => setNeedsCountries(true)}
      />
      {!hiddenFilters.includes('unshipped') && (
        <SelectFilter
          url={url}
          name="unshipped"
          label={t('unshipped')}
          options={dayCounts.map((value) => ({ value, label: t('unshippedFor', { days: Number(value) }) }))}
        />
      )}
      {importId && (
        <Button
          variant="default"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={common('list.clear', { name: t('import', { id: importId }) })}
          onClick={() => url.setFilters({ import: undefined })}
        >
          {t('import', { id: importId })}
        </Button>
      )}
    </>
  );
}

/**
 * Returns an option for orders whose country is not recognised and, once the countries are loaded, one for each of them, named in
 * the reader's language. The countries are loaded only if `enabled`, because most visits do not need them.
 */
function useCountryOptions(enabled: boolean): { value: string; label: string }[] {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.countries.list.queryOptions(undefined, { enabled, staleTime: Number.POSITIVE_INFINITY }),
  );
  const countryName = useCountryName();
  const sortCountries = useCountrySort();
  return useMemo(
    () => [
      { value: '--', label: t('unknownCountry') },
      ...sortCountries(data ?? []).map(({ code, name }) => ({ value: code, label: countryName(code, name) })),
    ],
    [data, countryName, sortCountries, t],
  );
}
