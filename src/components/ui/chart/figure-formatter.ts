import { useLocale } from 'next-intl';
import { LANGUAGE_TAGS } from '../../../i18n/locale';
import type { StatisticFieldKind } from '../../../server/statistics/fields';
import { dateFormat, numberFormat } from '../value/formats';
import { moneyText } from '../value/money-text';

type Figure = number | string;

const FIGURE_FORMATS: Record<StatisticFieldKind, Intl.NumberFormatOptions> = {
  count: { maximumFractionDigits: 0 },
  amount: { minimumFractionDigits: 2, maximumFractionDigits: 4 },
  rate: { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 },
  ratio: { minimumFractionDigits: 2, maximumFractionDigits: 2 },
};

/** Formats figures in the reader's language. */
export interface FigureFormatter {
  /** Formats a figure by its kind; a rate as a percentage. */
  figure(kind: StatisticFieldKind, figure: Figure | null): string;
  /** Formats an amount of money; a decimal string is never converted to a float. */
  money(amount: Figure | null, currency: string | null): string;
  /** Formats a figure compactly, for the label of an axis. */
  axisLabel(figure: number): string;
  /** Formats a date such as `2026-08-22`: `short` has the day and month, `medium` also the year, `full` also the weekday. */
  day(day: string, form: 'short' | 'medium' | 'full'): string;
}

const DAY_FORMATS: Record<'short' | 'medium' | 'full', Intl.DateTimeFormatOptions> = {
  short: { month: 'short', day: 'numeric' },
  medium: { dateStyle: 'medium' },
  full: { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
};

export function useFigureFormatter(): FigureFormatter {
  const tag = LANGUAGE_TAGS[useLocale()];
  const formatNumber = (figure: Figure, options: Intl.NumberFormatOptions) =>
    numberFormat(tag, options).format(figure as Intl.StringNumericLiteral);
  return {
    figure(kind, figure) {
      if (figure === null) return '–';
      const text = formatNumber(kind === 'rate' ? Number(figure) / 100 : figure, FIGURE_FORMATS[kind]);
      return kind === 'ratio' ? `${text}×` : text;
    },
    money: (amount, currency) => (amount === null ? '–' : moneyText(tag, amount, currency)),
    axisLabel: (figure) => formatNumber(figure, { notation: 'compact', maximumFractionDigits: 1 }),
    // A date has no time zone, so it is both parsed and formatted in UTC.
    day: (day, form) =>
      dateFormat(tag, { ...DAY_FORMATS[form], timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)),
  };
}
