'use client';

import { Anchor, Text } from '@mantine/core';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useBackOffice } from '../../shell/back-office';
import { Change } from '../../ui/chart/change';
import { useFigureFormatter } from '../../ui/chart/figure-formatter';
import { Figures } from '../../ui/chart/figures';
import { type DayRange, daysIn } from '../../ui/list/filter/day-range';
import { StaleContent } from '../../ui/list/stale-content';
import { FieldChart } from '../field-chart';
import { dependsOnCurrency, kindOf, type ListingField, type ShopField, useFieldName } from '../fields';
import { useKnownShops } from '../known-shops';
import styles from '../statistics.module.css';

type Totals<F extends string> = { currency: string | null } & Record<F, number | null>;
type DayFigures<F extends string> = { date: string } & Record<F, number | null>;

/** The totals and the daily figures of all shops, of one currency or of one shop. */
interface Series<F extends string> {
  total: Totals<F>;
  days: readonly DayFigures<F>[];
  /** The sums of this period and the previous one, for the days that can be compared; null if there are none. */
  compared?: { now: Totals<F>; before: Totals<F> } | null;
}

interface Props<F extends string> {
  /** The fields whose sums are shown. */
  totalFields: readonly F[];
  fields: readonly F[];
  field: F;
  onFieldChange: (field: F) => void;
  range: DayRange;
  /** Undefined until loaded. */
  sums:
    | {
        together: Series<F>;
        by_currency: readonly (Series<F> & { currency: string })[];
        without_currency: readonly string[];
      }
    | undefined;
  /** Whether the sums are still those of the previous days or shops. */
  isStale: boolean;
  /** The label of the total in the chart. */
  label: string;
  /** The series of each shop, if there are few enough to show a line for each. */
  shopSeries?: readonly (Series<F> & { key: string; label: string })[] | undefined;
}

/** The fields for which less is better. */
const COST_FIELDS: readonly string[] = ['ad_spend', 'spent_total'];

/**
 * The sums of a range of days, and a chart of one field by day. Amounts are shown per currency and never added across currencies.
 */
export function DaySums<F extends ShopField | ListingField>(props: Props<F>) {
  const { totalFields, fields, field, onFieldChange, range, sums, isStale, label, shopSeries } = props;
  const t = useTranslations('statistics');
  const figureFormatter = useFigureFormatter();
  const fieldName = useFieldName();
  const [chosenCurrency, setChosenCurrency] = useState<string>();
  // Split by currency only if there are several; each shop without a currency counts as a currency of its own.
  const isSplit = sums !== undefined && sums.without_currency.length + sums.by_currency.length > 1;
  const seriesByCurrency = isSplit ? sums.by_currency : null;
  const chosenSeries =
    seriesByCurrency?.find(({ currency }) => currency === chosenCurrency) ?? seriesByCurrency?.[0];
  const figureText = (name: F, series: Series<F>) =>
    kindOf(name) === 'amount'
      ? figureFormatter.money(series.total[name], series.total.currency)
      : figureFormatter.figure(kindOf(name), series.total[name]);
  const changeOf = (name: F, series: Series<F>) => {
    const currentSum = series.compared?.now[name] ?? null;
    const previousSum = series.compared?.before[name] ?? null;
    const change =
      currentSum === null || previousSum === null || previousSum <= 0 ? null : currentSum / previousSum - 1;
    const betterDirection: 'up' | 'down' = COST_FIELDS.includes(name) ? 'down' : 'up';
    return { change, betterDirection };
  };
  const seriesOf = (name: F) => (dependsOnCurrency(name) ? seriesByCurrency : null);
  const fieldSeries = seriesOf(field);
  const chartSeries = fieldSeries ? chosenSeries : sums?.together;
  const shopLines = shopSeries?.filter(
    ({ total }) => !fieldSeries || total.currency === chosenSeries?.currency,
  );
  const currency = chartSeries?.total.currency ?? null;
  return (
    <StaleContent isStale={isStale} isBusy={!sums || isStale} className={styles.sums}>
      <Figures
        label={t('sums')}
        figures={totalFields.map((name) => {
          const [firstSeries, ...otherSeries] = seriesOf(name) ?? [sums?.together];
          const { currency: firstCurrency } = firstSeries?.total ?? {};
          return {
            label:
              kindOf(name) === 'amount' && firstCurrency
                ? t('inCurrency', { field: fieldName(name), currency: firstCurrency })
                : fieldName(name),
            value: sums && (firstSeries ? figureText(name, firstSeries) : '–'),
            change: firstSeries && <Change {...changeOf(name, firstSeries)} />,
            otherCurrencies: otherSeries.length > 0 && (
              <span className={styles.others}>
                {otherSeries.map((series) => (
                  <span key={series!.total.currency}>
                    {kindOf(name) === 'amount'
                      ? figureText(name, series!)
                      : `${series!.total.currency} ${figureText(name, series!)}`}{' '}
                    <Change {...changeOf(name, series!)} />
                  </span>
                ))}
              </span>
            ),
          };
        })}
      />
      <Text size="xs" c="dimmed">
        {t('compared', { days: daysIn(range).length })}
      </Text>
      {seriesByCurrency && <ShopsWithoutCurrency shops={sums?.without_currency ?? []} />}
      <FieldChart
        fields={fields}
        field={field}
        onFieldChange={onFieldChange}
        range={range}
        currency={dependsOnCurrency(field) ? currency : null}
        currencies={fieldSeries && fieldSeries.length > 1 ? fieldSeries.map((group) => group.currency) : []}
        onCurrencyChange={setChosenCurrency}
        // The chart would draw the figures of the previous days on the new days.
        series={
          sums && !isStale
            ? (shopLines ?? [{ key: 'together', label, days: chartSeries?.days ?? [] }])
            : undefined
        }
      />
    </StaleContent>
  );
}

/** Names the shops without a currency, which the sums of amounts leave out, with a link to set one. */
function ShopsWithoutCurrency({ shops }: { shops: readonly string[] }) {
  const t = useTranslations('statistics');
  const format = useFormatter();
  const { prefix } = useBackOffice();
  const { nameOf } = useKnownShops();
  if (shops.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t.rich('withoutCurrency', {
        shops: format.list(shops.map(nameOf)),
        link: (chunks) => (
          <Anchor component={Link} href={`${prefix}/shops`}>
            {chunks}
          </Anchor>
        ),
      })}
    </Text>
  );
}
