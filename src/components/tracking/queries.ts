import { DAY_MS } from '../../server/core/days';
import { isIntegerIdText } from '../../server/core/id-text';
import { TRACKING_STATUSES } from '../../server/core/statuses';
import { CALLBACK_OUTCOMES } from '../../server/tracking/callbacks/outcomes';
import { LIST_QUERY, type PageQueries, SHOWS_OWN_ERROR, type Trpc } from '../api/page-queries';
import { isDay } from '../ui/list/filter/day-range';
import { oneOf, readUrl, type UrlState, valuesOf } from '../ui/list/list-url';

export const SHIPMENT_FILTERS = ['status', 'shop', 'carrier', 'idle'] as const;
export const CALLBACK_FILTERS = ['outcome', 'number', 'from', 'to'] as const;

type ShipmentUrl = UrlState<(typeof SHIPMENT_FILTERS)[number]>;
type CallbackUrl = UrlState<(typeof CALLBACK_FILTERS)[number]>;

const MAX_CARRIER_CODE_LENGTH = 200;

function readShops({ shop }: Pick<ShipmentUrl['filters'], 'shop'>): number[] | undefined {
  const shopIds = valuesOf(shop).filter(isIntegerIdText);
  return shopIds.length > 0 ? shopIds.map(Number) : undefined;
}

/**
 * Reads the filter from a URL. Ignores invalid values, and truncates a carrier code that is too long. Days without news are counted
 * from the current hour, so that the query stays the same for a while.
 */
function readShipmentFilter({ status, shop, carrier, idle }: ShipmentUrl['filters'], hour: number) {
  const idleDays = Number(idle);
  const statuses = TRACKING_STATUSES.filter((name) => valuesOf(status).includes(name));
  return {
    statuses: statuses.length > 0 ? statuses : undefined,
    shops: readShops({ shop }),
    carrier: carrier?.slice(0, MAX_CARRIER_CODE_LENGTH),
    since_to:
      Number.isInteger(idleDays) && idleDays > 0 && idleDays < 10_000
        ? new Date(hour - idleDays * DAY_MS).toISOString()
        : undefined,
  };
}

export const shipmentListQuery = (trpc: Trpc, { filters, cursor, rowsPerPage }: ShipmentUrl, hour: number) =>
  trpc.shipments.list.queryOptions(
    { ...readShipmentFilter(filters, hour), cursor, limit: rowsPerPage },
    LIST_QUERY,
  );

export const shipmentCountsQuery = (trpc: Trpc, { filters }: ShipmentUrl) =>
  trpc.shipments.counts.queryOptions({ shops: readShops(filters) }, LIST_QUERY);

export const shipmentQuery = (trpc: Trpc, number: string) =>
  trpc.shipments.one.queryOptions({ tracking_number: number }, SHOWS_OWN_ERROR);

export const callbackListQuery = (trpc: Trpc, { filters, cursor, rowsPerPage }: CallbackUrl) =>
  trpc.callbacks.list.queryOptions(
    {
      outcome: oneOf(CALLBACK_OUTCOMES, filters.outcome),
      tracking_number: filters.number,
      from: isDay(filters.from) ? filters.from : undefined,
      to: isDay(filters.to) ? filters.to : undefined,
      cursor,
      limit: rowsPerPage,
    },
    LIST_QUERY,
  );

export const callbackQuery = (trpc: Trpc, id: string) =>
  trpc.callbacks.one.queryOptions({ id }, SHOWS_OWN_ERROR);

export const shipmentsPageQueries: PageQueries = ({ trpc, search, rowsPerPage, hour, load }) => {
  const url = readUrl(SHIPMENT_FILTERS, search, rowsPerPage);
  return Promise.all([
    load(shipmentListQuery(trpc, url, hour)),
    load(shipmentCountsQuery(trpc, url)),
    load(trpc.shops.names.queryOptions()),
    load(trpc.shipments.carriers.queryOptions()),
  ]);
};

export const callbacksPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) =>
  load(callbackListQuery(trpc, readUrl(CALLBACK_FILTERS, search, rowsPerPage)));

export const unknownStatusesPageQueries: PageQueries = ({ trpc, load }) =>
  Promise.all([
    load(trpc.callbacks.unmapped.queryOptions(undefined, SHOWS_OWN_ERROR)),
    load(trpc.callbacks.mappings.queryOptions(undefined, SHOWS_OWN_ERROR)),
  ]);

export const callbackPageQueries: PageQueries<{ id: string }> = ({ trpc, parameters, load }) =>
  load(callbackQuery(trpc, parameters.id));
