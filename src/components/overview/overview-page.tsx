'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../api/client';
import { useBackOffice } from '../shell/back-office';
import { useNewYorkToday } from '../shell/current-time';
import { ChoiceFilter } from '../ui/list/filter/choice-filter';
import { daysIn } from '../ui/list/filter/day-range';
import { DayRangeFilter } from '../ui/list/filter/day-range-filter';
import { LoadError } from '../ui/list/list-states';
import { StaleContent } from '../ui/list/stale-content';
import { useListUrl } from '../ui/list/use-list-url';
import { PageHeader } from '../ui/page/page-header';
import { Sentences } from '../ui/value/sentences';
import { Attention } from './attention';
import { Countries } from './countries';
import { FirstSteps, shouldShowFirstSteps } from './first-steps';
import { useListLinks } from './list-links';
import { Listings } from './listings';
import styles from './overview.module.css';
import {
  deliveriesQuery,
  OVERVIEW_FILTERS,
  overviewInput,
  overviewQuery,
  readOverviewFilters,
} from './queries';
import { RangeChart } from './range-chart';
import { RangeFigures } from './range-figures';
import { ShopTable } from './shop-table';

/** What happened in a range of days, and what needs attention now. */
export function OverviewPage() {
  const t = useTranslations('overview');
  const trpc = useTRPC();
  const { user } = useBackOffice();
  const url = useListUrl(OVERVIEW_FILTERS);
  const filters = readOverviewFilters(url, useNewYorkToday());
  const { range, chosenShopIds } = filters;

  const { data: shops } = useQuery(trpc.shops.names.queryOptions());
  const { data: overview, error, refetch, ...overviewState } = useQuery(overviewQuery(trpc, filters));
  const { data: deliveries, ...deliveriesState } = useQuery(deliveriesQuery(trpc, filters));
  const [chosenCurrency, setChosenCurrency] = useState<string>();
  const currencies = overview?.currencies.map(({ currency }) => currency) ?? [];
  const currency = currencies.find((code) => code === chosenCurrency) ?? currencies[0] ?? null;
  const dayCount = daysIn(range).length;
  const links = useListLinks(range, chosenShopIds, shops);
  const steps =
    overview && shouldShowFirstSteps(overview.first_steps, user.role) ? overview.first_steps : undefined;
  // Before the first import, there are no orders to report on.
  const showsOnlyChecklist = steps?.import === false;

  return (
    <>
      <PageHeader title={t('title')} />
      {showsOnlyChecklist && <p>{t('welcome', { name: user.name })}</p>}
      {steps && <FirstSteps steps={steps} />}
      {!showsOnlyChecklist && (
        <>
          <div className={styles.filters}>
            <DayRangeFilter url={url} range={range} />
            <ChoiceFilter
              url={url}
              name="shop"
              label={t('shops')}
              options={(shops ?? [])
                .filter(({ archived_at, id }) => archived_at === null || chosenShopIds.includes(String(id)))
                .map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          </div>
          <p className={styles.scope}>
            <Sentences>
              {t('comparedWith', { days: dayCount })}
              {overview?.period.today && t('todayMeans')}
            </Sentences>
          </p>
          {error && !overview ? (
            <LoadError error={error} onRetry={refetch} />
          ) : (
            <StaleContent
              isStale={overviewState.isPlaceholderData || deliveriesState.isPlaceholderData}
              isBusy={overviewState.isFetching || deliveriesState.isFetching}
              className={styles.page}
            >
              <Attention overview={overview} links={links} />
              <RangeFigures overview={overview} deliveries={deliveries} currency={currency} links={links} />
              <div className={styles.columns}>
                <RangeChart
                  overview={overview}
                  currency={currency}
                  onCurrencyChange={setChosenCurrency}
                  links={links}
                />
                <Listings listings={overview?.listings} currency={currency} links={links} />
              </div>
              <ShopTable shops={overview?.shops} links={links} />
              <Countries deliveries={deliveries} input={overviewInput(filters)} links={links} />
            </StaleContent>
          )}
        </>
      )}
    </>
  );
}
