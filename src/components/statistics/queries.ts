import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { isDay, RANGE_PARAMETERS, type RangeUrl, readRange } from '../ui/list/filter/day-range';
import { readUrl, type UrlState, valuesOf } from '../ui/list/list-url';
import { newYorkDay } from '../ui/value/new-york-days';
import { lastMonths } from './calendar/month-days';
import { LISTING_FIELD_ORDER, SHOP_FIELD_ORDER } from './fields';
import { MAX_DAYS, MAX_SHOPS } from './limits';

export const DAY_FILTERS = [...RANGE_PARAMETERS, 'shop', 'chart'] as const;
export const LISTING_FILTERS = [...RANGE_PARAMETERS, 'shop'] as const;
export const MISSING_DAYS_FILTERS = ['kind', 'shop', 'months'] as const;
export const RESTATEMENT_FILTERS = ['kind', 'shop', 'listing', 'from', 'to', 'running'] as const;

type RangeAndShopUrl = RangeUrl & UrlState<'shop'>;
type KnownShops = RouterOutputs['statistics']['knownShops'];

export const MAX_LISTINGS = 100;
export const MONTH_CHOICES = [1, 3, 6, 12, 24];
export const DEFAULT_MONTH_COUNT = 3;

/** Returns the marketplace shop IDs in the URL, as many as a filter allows; an empty list means all shops. */
export const readShopIds = ({ filters }: UrlState<'shop'>) => valuesOf(filters.shop).slice(0, MAX_SHOPS);

/** Reads the days and shops from the URL, as the procedures expect them. */
function readDayFilter(url: RangeAndShopUrl) {
  const shopIds = readShopIds(url);
  const { from, to } = readRange(url, MAX_DAYS);
  return { shop_ids: shopIds.length > 0 ? shopIds : undefined, from, to };
}

/** Returns the sort order in a URL if it is by one of `names`, otherwise an empty object. */
function sortOf<Name extends string>(
  { sort }: UrlState,
  names: readonly Name[],
): { sort?: Name; direction?: 'asc' | 'desc' } {
  const supportedName = names.find((name) => name === sort?.by);
  return supportedName ? { sort: supportedName, direction: sort?.descending ? 'desc' : 'asc' } : {};
}

/** Returns the input that a table's procedure and its download share; the procedure also takes the cursor and the limit. */
export const shopDaysInput = (url: RangeAndShopUrl) => ({
  ...readDayFilter(url),
  ...sortOf(url, ['date', 'shop_id', ...SHOP_FIELD_ORDER]),
});

export const listingDaysInput = (listingId: number, url: RangeAndShopUrl) => ({
  listing_ids: [listingId],
  ...readDayFilter(url),
  ...sortOf(url, ['date', 'shop_id', ...LISTING_FIELD_ORDER]),
});

export const listingsInput = (url: RangeAndShopUrl) => ({
  ...readDayFilter(url),
  ...sortOf(url, [...LISTING_FIELD_ORDER, 'profit']),
  limit: MAX_LISTINGS,
});

export const shopSumsQuery = (trpc: Trpc, url: RangeAndShopUrl) =>
  trpc.statistics.shopSeries.queryOptions(readDayFilter(url), LIST_QUERY);

export const shopDaysQuery = (trpc: Trpc, url: RangeAndShopUrl) =>
  trpc.statistics.shopDays.queryOptions(
    { ...shopDaysInput(url), cursor: url.cursor, limit: url.rowsPerPage },
    LIST_QUERY,
  );

export const listingSumsQuery = (trpc: Trpc, listingId: number, url: RangeAndShopUrl) =>
  trpc.statistics.listingSeries.queryOptions({ listing_ids: [listingId], ...readDayFilter(url) }, LIST_QUERY);

export const listingDaysQuery = (trpc: Trpc, listingId: number, url: RangeAndShopUrl) =>
  trpc.statistics.listingDays.queryOptions(
    { ...listingDaysInput(listingId, url), cursor: url.cursor, limit: url.rowsPerPage },
    LIST_QUERY,
  );

export const topListingsQuery = (trpc: Trpc, url: RangeAndShopUrl) =>
  trpc.statistics.topListings.queryOptions(listingsInput(url), LIST_QUERY);

/** Reads the filters of the calendars from the URL, and selects the shops to show. */
export function readMissingDaysFilter(
  url: UrlState<(typeof MISSING_DAYS_FILTERS)[number]>,
  shops: KnownShops | undefined,
) {
  const kind = url.filters.kind === 'listing' ? ('listing' as const) : ('shop' as const);
  const monthCount =
    MONTH_CHOICES.find((count) => String(count) === url.filters.months) ?? DEFAULT_MONTH_COUNT;
  const chosenShopIds = valuesOf(url.filters.shop);
  const shopIds = (shops ?? [])
    .filter(({ shop_id, archived, days }) =>
      chosenShopIds.length > 0
        ? chosenShopIds.includes(shop_id)
        : !archived && (days > 0 || kind === 'listing'),
    )
    .map(({ shop_id }) => shop_id)
    .slice(0, MAX_SHOPS);
  return { kind, monthCount, shopIds, months: lastMonths(newYorkDay(new Date()), monthCount) };
}

export const missingDaysQuery = (
  trpc: Trpc,
  { kind, shopIds, months }: ReturnType<typeof readMissingDaysFilter>,
) =>
  trpc.statistics.missingDays.queryOptions(
    { kind, shop_ids: shopIds, from: months[0]!, to: months.at(-1)! },
    { ...LIST_QUERY, enabled: shopIds.length > 0 },
  );

export const restatementsQuery = (trpc: Trpc, url: UrlState<(typeof RESTATEMENT_FILTERS)[number]>) => {
  const { kind, listing, from, to, running } = url.filters;
  const shopIds = readShopIds(url);
  return trpc.statistics.restatements.queryOptions(
    {
      kind: kind === 'shop' || kind === 'listing' ? kind : undefined,
      shop_ids: shopIds.length > 0 ? shopIds : undefined,
      listing_id: /^\d{1,15}$/.test(listing ?? '') ? Number(listing) : undefined,
      from: isDay(from) ? from : undefined,
      to: isDay(to) ? to : undefined,
      past_only: running !== 'yes',
      cursor: url.cursor,
      limit: url.rowsPerPage,
    },
    LIST_QUERY,
  );
};

export const shopDaysPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) => {
  const url = readUrl(DAY_FILTERS, search, rowsPerPage);
  return Promise.all([
    load(trpc.statistics.knownShops.queryOptions()),
    load(shopSumsQuery(trpc, url)),
    load(shopDaysQuery(trpc, url)),
  ]);
};

export const listingsPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) =>
  Promise.all([
    load(trpc.statistics.knownShops.queryOptions()),
    load(topListingsQuery(trpc, readUrl(LISTING_FILTERS, search, rowsPerPage))),
  ]);

export const listingDaysPageQueries: PageQueries<{ listing: string }> = ({
  trpc,
  search,
  rowsPerPage,
  parameters,
  load,
}) => {
  const listingId = Number(parameters.listing);
  const url = readUrl(DAY_FILTERS, search, rowsPerPage);
  return Promise.all([
    load(trpc.statistics.knownShops.queryOptions()),
    load(listingSumsQuery(trpc, listingId, url)),
    load(listingDaysQuery(trpc, listingId, url)),
  ]);
};

export const missingDaysPageQueries: PageQueries = async ({ trpc, search, rowsPerPage, load }) => {
  const shops = await load(trpc.statistics.knownShops.queryOptions());
  const filter = readMissingDaysFilter(readUrl(MISSING_DAYS_FILTERS, search, rowsPerPage), shops);
  if (filter.shopIds.length > 0) await load(missingDaysQuery(trpc, filter));
};

export const restatementsPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) =>
  Promise.all([
    load(trpc.statistics.knownShops.queryOptions()),
    load(restatementsQuery(trpc, readUrl(RESTATEMENT_FILTERS, search, rowsPerPage))),
  ]);
