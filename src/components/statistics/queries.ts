import { LIST_QUERY, type PageQueries, SHOWS_OWN_ERROR, type Trpc } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { type DayRange, isDay, RANGE_PARAMETERS, readRange } from '../ui/list/filter/day-range';
import { readUrl, type UrlState, valuesOf } from '../ui/list/list-url';
import { lastMonths } from './calendar/month-days';
import { LISTING_FIELD_ORDER, SHOP_FIELD_ORDER } from './fields';
import { MAX_DAYS, MAX_SHOPS } from './limits';

export const DAY_FILTERS = [...RANGE_PARAMETERS, 'shop', 'chart'] as const;
export const LISTING_FILTERS = [...RANGE_PARAMETERS, 'shop'] as const;
export const MISSING_DAYS_FILTERS = ['kind', 'shop', 'months'] as const;
export const RESTATEMENT_FILTERS = ['kind', 'shop', 'listing', 'from', 'to', 'running'] as const;

type ShopUrl = UrlState<'shop'>;
type KnownShops = RouterOutputs['statistics']['knownShops'];

export const MAX_LISTINGS = 100;
export const MONTH_CHOICES = [1, 3, 6, 12, 24];
export const DEFAULT_MONTH_COUNT = 3;

/** Returns the marketplace shop IDs in the URL, as many as a filter allows; an empty list means all shops. */
export const readShopIds = ({ filters }: UrlState<'shop'>) => valuesOf(filters.shop).slice(0, MAX_SHOPS);

/** Reads the shops from the URL, and adds the days, as the procedures expect them. */
function readDayFilter(url: ShopUrl, { from, to }: DayRange) {
  const shopIds = readShopIds(url);
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
export const shopDaysInput = (url: ShopUrl, range: DayRange) => ({
  ...readDayFilter(url, range),
  ...sortOf(url, ['date', 'shop_id', ...SHOP_FIELD_ORDER]),
});

export const listingDaysInput = (listingId: number, url: ShopUrl, range: DayRange) => ({
  listing_ids: [listingId],
  ...readDayFilter(url, range),
  ...sortOf(url, ['date', 'shop_id', ...LISTING_FIELD_ORDER]),
});

export const listingsInput = (url: ShopUrl, range: DayRange) => ({
  ...readDayFilter(url, range),
  ...sortOf(url, [...LISTING_FIELD_ORDER, 'profit']),
  limit: MAX_LISTINGS,
});

export const shopSumsQuery = (trpc: Trpc, url: ShopUrl, range: DayRange) =>
  trpc.statistics.shopSeries.queryOptions(readDayFilter(url, range), LIST_QUERY);

export const shopDaysQuery = (trpc: Trpc, url: ShopUrl, range: DayRange) =>
  trpc.statistics.shopDays.queryOptions(
    { ...shopDaysInput(url, range), cursor: url.cursor, limit: url.rowsPerPage },
    LIST_QUERY,
  );

export const listingSumsQuery = (trpc: Trpc, listingId: number, url: ShopUrl, range: DayRange) =>
  trpc.statistics.listingSeries.queryOptions(
    { listing_ids: [listingId], ...readDayFilter(url, range) },
    LIST_QUERY,
  );

export const listingDaysQuery = (trpc: Trpc, listingId: number, url: ShopUrl, range: DayRange) =>
  trpc.statistics.listingDays.queryOptions(
    { ...listingDaysInput(listingId, url, range), cursor: url.cursor, limit: url.rowsPerPage },
    LIST_QUERY,
  );

export const topListingsQuery = (trpc: Trpc, url: ShopUrl, range: DayRange) =>
  trpc.statistics.topListings.queryOptions(listingsInput(url, range), LIST_QUERY);

/** Reads the calendars' filters from the URL, and returns the shops and the months to show, up to the month of `today`. */
export function readMissingDaysFilter(
  url: UrlState<(typeof MISSING_DAYS_FILTERS)[number]>,
  shops: KnownShops | undefined,
  today: string,
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
  return { kind, monthCount, shopIds, months: lastMonths(today, monthCount) };
}

export const missingDaysQuery = (
  trpc: Trpc,
  { kind, shopIds, months }: ReturnType<typeof readMissingDaysFilter>,
) =>
  trpc.statistics.missingDays.queryOptions(
    { kind, shop_ids: shopIds, from: months[0]!, to: months.at(-1)! },
    // Not the missing days of the previous query: months that were just chosen would seem to have none.
    { ...SHOWS_OWN_ERROR, enabled: shopIds.length > 0 },
  );

export const restatementsQuery = (trpc: Trpc, url: UrlState<(typeof RESTATEMENT_FILTERS)[number]>) => {
  const { kind, listing, from, to, running } = url.filters;
  const shopIds = readShopIds(url);
  return trpc.statistics.restatements.queryOptions(
    {
      kind: kind === 'shop' || kind === 'listing' ? kind : undefined,
      shop_ids: shopIds.length > 0 ? shopIds : undefined,
      listing_id: /^\d{1,16}$/.test(listing ?? '') ? Number(listing) : undefined,
      from: isDay(from) ? from : undefined,
      to: isDay(to) ? to : undefined,
      past_only: running !== 'yes',
      cursor: url.cursor,
      limit: url.rowsPerPage,
    },
    LIST_QUERY,
  );
};

export const shopDaysPageQueries: PageQueries = ({ trpc, search, rowsPerPage, today, load }) => {
  const url = readUrl(DAY_FILTERS, search, rowsPerPage);
  const range = readRange(url, MAX_DAYS, today);
  return Promise.all([
    load(trpc.statistics.knownShops.queryOptions()),
    load(shopSumsQuery(trpc, url, range)),
    load(shopDaysQuery(trpc, url, range)),
  ]);
};

export const listingsPageQueries: PageQueries = ({ trpc, search, rowsPerPage, today, load }) => {
  const url = readUrl(LISTING_FILTERS, search, rowsPerPage);
  return Promise.all([
    load(trpc.statistics.knownShops.queryOptions()),
    load(topListingsQuery(trpc, url, readRange(url, MAX_DAYS, today))),
  ]);
};

export const listingDaysPageQueries: PageQueries<{ listing: string }> = ({
  trpc,
  search,
  rowsPerPage,
  today,
  parameters,
  load,
}) => {
  const listingId = Number(parameters.listing);
  const url = readUrl(DAY_FILTERS, search, rowsPerPage);
  const range = readRange(url, MAX_DAYS, today);
  return Promise.all([
    load(trpc.statistics.knownShops.queryOptions()),
    load(listingSumsQuery(trpc, listingId, url, range)),
    load(listingDaysQuery(trpc, listingId, url, range)),
  ]);
};

export const missingDaysPageQueries: PageQueries = async ({ trpc, search, rowsPerPage, today, load }) => {
  const shops = await load(trpc.statistics.knownShops.queryOptions());
  const filter = readMissingDaysFilter(readUrl(MISSING_DAYS_FILTERS, search, rowsPerPage), shops, today);
  if (filter.shopIds.length > 0) await load(missingDaysQuery(trpc, filter));
};

export const restatementsPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) =>
  Promise.all([
    load(trpc.statistics.knownShops.queryOptions()),
    load(restatementsQuery(trpc, readUrl(RESTATEMENT_FILTERS, search, rowsPerPage))),
  ]);
