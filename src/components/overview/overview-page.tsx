'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../api/client';
import { useBackOffice } from '../shell/back-office';
import { everyDay } from '../ui/list/filter/day-range';
import { DayRangeFilter } from '../ui/list/filter/day-range-filter';
import { FilterChoice } from '../ui/list/filter/filter-choice';
import { Failed } from '../ui/list/list-states';
import { useListUrl } from '../ui/list/use-list-url';
import { PageHeader } from '../ui/page/page-header';
import { Attention } from './attention';
import { Countries } from './countries';
import { FirstSteps, hasFirstSteps } from './first-steps';
import { useListLinks } from './list-links';
import { Listings } from './listings';
import styles from './overview.module.css';
import { deliveriesQuery, inputOf, OVERVIEW_FILTERS, overviewQuery, readOverview } from './queries';
import { RangeChart } from './range-chart';
import { RangeFigures } from './range-figures';
import { ShopTable } from './shop-table';

/** What happened in a range of days, and what needs attention now. */
export function OverviewPage() {
  const t = useTranslations('overview');
  const trpc = useTRPC();
  const { user } = useBackOffice();
  const url = useListUrl(OVERVIEW_FILTERS);
  const overview = readOverview(url);
  const { range, chosenShops } = overview;

  const shops = useQuery(trpc.shops.list.queryOptions());
  const { data, error, refetch, isFetching } = useQuery(overviewQuery(trpc, overview));
  const { data: deliveries } = useQuery(deliveriesQuery(trpc, overview));
  const [chosenCurrency, setChosenCurrency] = useState<string>();
  const currencies = data?.currencies.map(({ currency }) => currency) ?? [];
  const currency = currencies.find((code) => code === chosenCurrency) ?? currencies[0] ?? null;
  const days = everyDay(range).length;
  const links = useListLinks(range, chosenShops, shops.data);
  const steps = data && hasFirstSteps(data.first_steps, user.role) ? data.first_steps : undefined;
  // Before the first import all figures are zero.
  const isNew = steps?.import === false;

  return (
    <>
      <PageHeader title={t('title')} />
      {isNew && <p>{t('welcome', { name: user.name })}</p>}
      {steps && <FirstSteps steps={steps} />}
      {!isNew && (
        <>
          <div className={styles.filters}>
            <DayRangeFilter url={url} range={range} />
            <FilterChoice
              url={url}
              name="shop"
              label={t('shops')}
              options={(shops.data ?? [])
                .filter(({ archived_at, id }) => archived_at === null || chosenShops.includes(String(id)))
                .map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          </div>
          <p className={styles.scope}>
            {t('comparedWith', { days })} {data?.period.today && t('todayMeans')}
          </p>
          {error && !data ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <div className={styles.page} aria-busy={isFetching}>
              <Attention data={data} links={links} />
              <RangeFigures data={data} deliveries={deliveries} currency={currency} links={links} />
              <div className={styles.columns}>
                <RangeChart
                  data={data}
                  currency={currency}
                  onCurrencyChange={setChosenCurrency}
                  links={links}
                />
                <Listings listings={data?.listings} currency={currency} links={links} />
              </div>
              <ShopTable shops={data?.shops} links={links} />
              <Countries deliveries={deliveries} input={inputOf(overview)} links={links} />
            </div>
          )}
        </>
      )}
    </>
  );
}
