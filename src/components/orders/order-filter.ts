import { type OrderFilter, orderFilterSchema } from '../../server/orders/order-list-schema';
import { valuesOf } from '../shared/list-address';

/** The filters of the orders list, as its address names them; other pages link here by these. */
export const ORDER_FILTERS = [
  'q',
  'shop',
  'status',
  'tracking',
  'country',
  'from',
  'to',
  'unshipped',
  'import',
] as const;

type Name = (typeof ORDER_FILTERS)[number];

const list = (text: string | undefined) => (text === undefined ? undefined : valuesOf(text));
const whole = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** The filter that an address means. What no filter can be, such as a status that there is not, is left out. */
export function readOrderFilter(address: Partial<Record<Name, string>>): OrderFilter {
  const meant: { [Member in keyof OrderFilter]: unknown } = {
    shops: list(address.shop)?.map(Number),
    statuses: list(address.status),
    tracking: list(address.tracking),
    countries: list(address.country),
    sold_from: address.from,
    sold_to: address.to,
    text: address.q,
    unshipped_days: whole(address.unshipped),
    import_id: address.import,
  };
  const possible = Object.entries(meant).filter(
    ([member, value]) =>
      value !== undefined && orderFilterSchema.shape[member as keyof OrderFilter].safeParse(value).success,
  );
  return Object.fromEntries(possible);
}
