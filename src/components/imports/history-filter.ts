import { historyInput } from '../../server/orders/import/history-schema';
import type { RouterInputs } from '../api/router-types';
import { newYorkMidnight, plusDays } from '../ui/chart/new-york-days';

/** The filters of the history, as the page's address names them; other pages link here with them. */
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

export const OUTCOMES = ['succeeded', 'rejected', 'failed', 'undone'] as const;

type Filter = NonNullable<RouterInputs['imports']['history']>;

/** The filter in an address. Ignores invalid values. */
export function readHistoryFilter(address: Partial<Record<HistoryFilterName, string>>): Partial<Filter> {
  const { shop, source, outcome, warnings, from, to, actor, file } = address;
  const meant = {
    account_id: shop === undefined ? undefined : Number(shop),
    source,
    outcome,
    warnings: warnings === undefined ? undefined : warnings !== 'no',
    from: from && newYorkMidnight(from)?.toISOString(),
    until: to && newYorkMidnight(plusDays(to, 1))?.toISOString(),
    actor,
    file_name: file,
  };
  const possible = Object.entries(meant).filter(
    ([member, value]) =>
      value !== undefined && historyInput.shape[member as keyof typeof meant].safeParse(value).success,
  );
  return Object.fromEntries(possible);
}
