import { callbackListInput } from '../../server/debug/record-schema';
import { shipmentListInput } from '../../server/tracking/shipments/schema';
import { LIST_QUERY, OWN_ERROR, type PageQueries, type Trpc } from '../api/page-queries';
import { type AddressState, readAddress } from '../ui/list/list-address';

export const SHIPMENT_FILTERS = ['status', 'shop', 'carrier', 'idle'] as const;
export const CALLBACK_FILTERS = ['outcome', 'number', 'from', 'to'] as const;

type ShipmentAddress = AddressState<(typeof SHIPMENT_FILTERS)[number]>;
type CallbackAddress = AddressState<(typeof CALLBACK_FILTERS)[number]>;

/** As many as the carrier can be asked about at once. */
const PAGE_SIZE = 40;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** So many days ago, to the hour: the same question for a while. */
const daysAgo = (days: number) =>
  new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * DAY_MS).toISOString();

const list = (text: string | undefined) => text?.split(',').filter((part) => part !== '');

/** The filter that an address means. What no filter can be is left out. */
function readShipmentFilter({ status, shop, carrier, idle }: ShipmentAddress['filters']) {
  const { shape } = shipmentListInput;
  const days = Number(idle);
  return {
    statuses: shape.statuses.safeParse(list(status)).data,
    shops: shape.shops.safeParse(list(shop)?.map(Number)).data,
    carrier: shape.carrier.safeParse(carrier).data,
    since_to: Number.isInteger(days) && days > 0 && days < 10_000 ? daysAgo(days) : undefined,
  };
}

export const shipmentListQuery = (trpc: Trpc, { filters, cursor }: ShipmentAddress) =>
  trpc.parcels.list.queryOptions({ ...readShipmentFilter(filters), cursor, limit: PAGE_SIZE }, LIST_QUERY);

export const shipmentCountsQuery = (trpc: Trpc, { filters }: ShipmentAddress) =>
  trpc.parcels.counts.queryOptions({ shops: readShipmentFilter(filters).shops }, LIST_QUERY);

export const shipmentQuery = (trpc: Trpc, number: string) =>
  trpc.parcels.one.queryOptions({ tracking_number: number }, OWN_ERROR);

export const callbackListQuery = (trpc: Trpc, { filters, cursor }: CallbackAddress) => {
  const { shape } = callbackListInput;
  return trpc.ledger.list.queryOptions(
    {
      outcome: shape.outcome.safeParse(filters.outcome).data,
      tracking_number: filters.number,
      from: shape.from.safeParse(filters.from).data,
      to: shape.to.safeParse(filters.to).data,
      cursor,
    },
    LIST_QUERY,
  );
};

export const callbackQuery = (trpc: Trpc, id: string) => trpc.ledger.one.queryOptions({ id }, OWN_ERROR);

export const shipmentsPageQueries: PageQueries = ({ trpc, search, load }) => {
  const address = readAddress(SHIPMENT_FILTERS, search);
  return Promise.all([
    load(shipmentListQuery(trpc, address)),
    load(shipmentCountsQuery(trpc, address)),
    load(trpc.shops.list.queryOptions()),
    load(trpc.parcels.carriers.queryOptions()),
  ]);
};

export const callbacksPageQueries: PageQueries = ({ trpc, search, load }) =>
  load(callbackListQuery(trpc, readAddress(CALLBACK_FILTERS, search)));

export const statusesPageQueries: PageQueries = ({ trpc, load }) =>
  Promise.all([
    load(trpc.ledger.unmapped.queryOptions(undefined, OWN_ERROR)),
    load(trpc.ledger.mappings.queryOptions(undefined, OWN_ERROR)),
  ]);

export const callbackPageQueries: PageQueries<{ id: string }> = ({ trpc, parameters, load }) =>
  load(callbackQuery(trpc, parameters.id));
