'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { readRange } from '../ui/list/day-range';
import { DayRangeFilter } from '../ui/list/day-range-filter';
import { FilterChoice } from '../ui/list/filter-choice';
import { useListAddress, valuesOf } from '../ui/list/list-address';
import { Failed } from '../ui/list/list-states';
import { PageHeader } from '../ui/page/page-header';
import { Attention } from './attention';
import { Charts } from './charts';
import { FirstSteps } from './first-steps';
import { useListLinks } from './list-links';
import styles from './overview.module.css';
import { Parcels } from './parcels';
import { RangeFigures } from './range-figures';

/** As the procedure allows. */
const LONGEST = 732;
const USUAL_DAYS = 3;
const MOST_DAYS = 365;

/** What happened in some days, and what needs a person now. */
export function OverviewPage() {
  const t = useTranslations('overview');
  const trpc = useTRPC();
  const address = useListAddress(['range', 'from', 'to', 'shop', 'unshipped']);
  const range = readRange(address, LONGEST);
  const chosen = valuesOf(address.filters.shop).filter((id) => /^[1-9]\d{0,9}$/.test(id));
  const given = address.filters.unshipped ?? '';
  const unshipped = /^\d{1,3}$/.test(given) ? Math.min(Number(given), MOST_DAYS) : USUAL_DAYS;

  const shops = useQuery(trpc.shops.list.queryOptions());
  const { data, error, refetch, isFetching } = useQuery(
    trpc.overview.read.queryOptions(
      {
        from: range.from,
        to: range.to,
        shops: chosen.length > 0 ? chosen.map(Number) : undefined,
        unshipped_days: unshipped,
      },
      { placeholderData: keepPreviousData, meta: { ownError: true } },
    ),
  );
  const links = useListLinks(range, chosen, shops.data);
  const isNew = data !== undefined && !(data.first_steps.shops && data.first_steps.imports);

  return (
    <>
      <PageHeader title={t('title')} />
      {isNew ? (
        <FirstSteps steps={data.first_steps} />
      ) : (
        <>
          <div className={styles.filters}>
            <DayRangeFilter address={address} range={range} />
            <FilterChoice
              address={address}
              name="shop"
              label={t('shops')}
              options={(shops.data ?? [])
                .filter(({ archived_at, id }) => archived_at === null || chosen.includes(String(id)))
                .map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          </div>
          {error && !data ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <div className={styles.page} aria-busy={isFetching}>
              <RangeFigures data={data} links={links} />
              <div className={styles.columns}>
                <div className={styles.aside}>
                  <Attention
                    attention={data?.attention}
                    links={links}
                    days={unshipped}
                    onDays={(days) =>
                      address.setFilters({ unshipped: days === USUAL_DAYS ? undefined : String(days) })
                    }
                  />
                  <Parcels tracking={data?.tracking} links={links} />
                </div>
                <Charts data={data} />
              </div>
            </div>
          )}
        </>
      )}
    </>
  );
}
