'use client';

import { Group, NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useNewYorkToday } from '../shell/current-time';
import { DayChart } from '../ui/chart/day-chart';
import { useFigureFormatter } from '../ui/chart/figure-formatter';
import { type DayRange, daysIn } from '../ui/list/filter/day-range';
import { kindOf, type ListingField, type ShopField, useFieldName } from './fields';

type DayFigures<F extends string> = { date: string } & Record<F, number | null>;

/** The daily figures of a shop, a listing, a currency, or all shops together. */
interface FieldSeries<F extends string> {
  key: string;
  label: string;
  days: readonly DayFigures<F>[];
}

interface Props<F extends string> {
  fields: readonly F[];
  field: F;
  onFieldChange: (field: F) => void;
  range: DayRange;
  /** The currency of the amounts; null if it is unknown or the field does not depend on it. */
  currency: string | null;
  /** The currencies to choose from. */
  currencies: readonly string[];
  onCurrencyChange: (currency: string) => void;
  /** Undefined until loaded. */
  series: readonly FieldSeries<F>[] | undefined;
}

/** One field over the days of a range; a day without data is a gap. */
export function FieldChart<F extends ShopField | ListingField>(props: Props<F>) {
  const { fields, field, onFieldChange, range, series, currency, currencies, onCurrencyChange } = props;
  const t = useTranslations('statistics');
  const figureFormatter = useFigureFormatter();
  const fieldName = useFieldName();
  const kind = kindOf(field);
  const seriesFigures = series?.map(({ key, days }) => ({
    key,
    figureByDay: new Map(days.map((day) => [day.date, day[field]])),
  }));
  const isSingleSeries = (series?.length ?? 1) === 1;
  return (
    <DayChart
      title={fieldName(field)}
      headingLevel={2}
      controls={
        <Group gap="sm" wrap="nowrap">
          {currencies.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label={t('chartCurrency')}
              value={currency ?? ''}
              data={[...currencies]}
              onChange={({ currentTarget: { value } }) => onCurrencyChange(value)}
            />
          )}
          <NativeSelect
            size="xs"
            aria-label={t('chartOf')}
            value={field}
            data={fields.map((value) => ({ value, label: fieldName(value) }))}
            onChange={({ currentTarget: { value } }) => onFieldChange(value as F)}
          />
        </Group>
      }
      series={(series ?? []).map(({ key, label }) => ({
        key,
        label,
        type: isSingleSeries && (kind === 'count' || kind === 'amount') ? 'bar' : 'line',
      }))}
      days={
        seriesFigures &&
        daysIn(range).map((day) => ({
          day,
          figures: Object.fromEntries(
            seriesFigures.map(({ key, figureByDay }) => [key, figureByDay.get(day)]),
          ),
        }))
      }
      today={useNewYorkToday()}
      formatFigure={(figure) =>
        kind === 'amount' ? figureFormatter.money(figure, currency) : figureFormatter.figure(kind, figure)
      }
    />
  );
}
