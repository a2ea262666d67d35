'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { DayRangeFilter } from '../ui/list/day-range-filter';
import { FilterChoice } from '../ui/list/filter-choice';
import { Failed } from '../ui/list/list-states';
import { useListAddress } from '../ui/list/use-list-address';
import { PageHeader } from '../ui/page/page-header';
import { Attention } from './attention';
import { Charts } from './charts';
import { FirstSteps } from './first-steps';
import { useListLinks } from './list-links';
import styles from './overview.module.css';
import { OVERVIEW_FILTERS, overviewQuery, readOverview } from './queries';
import { RangeFigures } from './range-figures';
import { Shipments } from './shipments';

/** What happened in a range of days, and what needs attention now. */
export function OverviewPage() {
  const t = useTranslations('overview');
  const trpc = useTRPC();
  const address = useListAddress(OVERVIEW_FILTERS);
  const meant = readOverview(address);
  const { range, chosen } = meant;

  const shops = useQuery(trpc.shops.list.queryOptions());
  const { data, error, refetch, isFetching } = useQuery(overviewQuery(trpc, meant));
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
                  <Attention attention={data?.attention} links={links} />
                  <Shipments tracking={data?.tracking} links={links} />
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
