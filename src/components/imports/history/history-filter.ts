import { plusDays } from '../../../server/core/days';
import { isIntegerIdText } from '../../../server/core/id-text';
import { MAX_SHOPS } from '../../../server/orders/filter/bounds';
import {
  IMPORT_OUTCOMES,
  IMPORT_SOURCES,
  MAX_TEXT_LENGTH,
} from '../../../server/orders/history/history-filters';
import type { RouterInputs } from '../../api/router-types';
import { isDay } from '../../ui/list/filter/day-range';
import { areAllKnown, oneOf, readList } from '../../ui/list/list-url';
import { midnightIn } from '../../ui/value/time/zones';

/** The names of the history's filters in the URL. The links in notifications use them. */
export const HISTORY_FILTERS = [
  'shop',
  'source',
  'outcome',
  'warnings',
  'from',
  'to',
  'actor',
  'file',
] as const;

export type HistoryFilterName = (typeof HISTORY_FILTERS)[number];

type Filter = NonNullable<RouterInputs['imports']['history']>;

const asOutcome = (value: string) => value as (typeof IMPORT_OUTCOMES)[number];

/**
 * Reads the filter from URL parameters. Ignores invalid values, and truncates texts that are too long.
 *
 * @param zone the reader's time zone, in which the first day begins and the last day ends
 */
export function readHistoryFilter(
  parameters: Partial<Record<HistoryFilterName, string>>,
  zone: string,
): Partial<Filter> {
  const { shop, source, outcome, warnings, from, to, actor, file } = parameters;
  const trimText = (value: string | undefined) => value?.trim().slice(0, MAX_TEXT_LENGTH) || undefined;
  const filter = {
    shops: readList(shop, (ids) => ids.length <= MAX_SHOPS && ids.every(isIntegerIdText), Number),
    source: oneOf(IMPORT_SOURCES, source),
    outcomes: readList(
      outcome,
      (values) => values.length <= IMPORT_OUTCOMES.length && areAllKnown(values, IMPORT_OUTCOMES),
      asOutcome,
    ),
    warnings: warnings === 'yes' ? true : warnings === 'no' ? false : undefined,
    from: isDay(from) ? midnightIn(zone, from)?.toISOString() : undefined,
    until: isDay(to) ? midnightIn(zone, plusDays(to, 1))?.toISOString() : undefined,
    actor: trimText(actor),
    file_name: trimText(file),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
