import { EXPORT_NAMES, exportJson, exportText } from '../../../../src/server/orders/export/export-sql';
import { type MatchingOrder, matchingOrders } from '../../../../src/server/orders/list/conditions-service';
import { afterCursor, ORDER_BY, orderConditions } from '../../../../src/server/orders/list/filter-sql';
import type { OrderFilter } from '../../../../src/server/orders/list/schema';
import { countStatement, type ListedOrder, listStatement } from '../../../../src/server/orders/list/service';
import { type ComposedStatement, filtersOf, type Variant } from './statement';

const MATCHING: Record<keyof MatchingOrder, string> = { shop_id: 'integer', order_id: 'bigint' };

const LISTED: Record<keyof ListedOrder, string> = {
  id: 'text',
  receipt_id: 'text',
  shop_id: 'integer',
  shop: 'text',
  status: 'order_status',
  tracking_status: 'tracking_status',
  sale_date: 'text',
  buyer: 'text',
  name: 'text',
  country_code: 'text',
  country_name: 'text',
  currency: 'text',
  value: 'text',
  items: 'integer',
  quantity: 'double precision',
  title: 'text',
  tracking_numbers: 'text[]',
  carrier_code: 'text',
};

/** Every part of a filter in each of its forms. */
const FILTERS = filtersOf<OrderFilter>([
  { shops: [1] },
  { statuses: ['paid'] },
  { tracking: ['delivered'] },
  { tracking: ['none'] },
  { tracking: ['delivered', 'none'] },
  { sold_from: '2026-08-22' },
  { sold_to: '2026-08-22' },
  { countries: ['US'] },
  { countries: ['--'] },
  { countries: ['US', '--'] },
  { unshipped_days: 3 },
  { import_id: '1' },
  { text: 'ab' },
  { text: 'lantern' },
  { text: 'a lantern' },
  { text: '4165001001 4165001002' },
]);
const FOUND = { shopIds: [1], orderIds: ['1'] };
const POSITIONS = [
  null,
  { saleDate: null, id: '1' },
  { saleDate: '2026-08-22T00:00:00.000000Z', id: '1' },
] as const;

/** Each filter, with the orders that match its text looked up or not. */
const conditions = () =>
  FILTERS.flatMap((filter) =>
    [null, FOUND].map((found) => ({
      name: `${JSON.stringify(filter)}${found ? ', looked up' : ''}`,
      ...orderConditions(filter, found),
    })),
  );

const pages = () =>
  (['newest', 'oldest'] as const).flatMap((direction) =>
    POSITIONS.flatMap((position) =>
      conditions().map(({ name, conditions, values }): Variant => {
        if (position) conditions.push(afterCursor(position, direction, values));
        const text = listStatement(conditions, direction, `$${values.push(50)}::int`);
        return { name: `${name}, ${direction} after ${position?.saleDate ?? position?.id}`, text, values };
      }),
    ),
  );

const exported = (statement: typeof exportText) =>
  conditions().map(({ name, conditions, values }): Variant => {
    const text = statement({ condition: conditions.join(' AND ') || 'true', order: ORDER_BY.newest });
    return { name, text, values };
  });

export const ORDER_STATEMENTS: ComposedStatement[] = [
  { name: 'list of orders', columns: LISTED, variants: pages() },
  {
    name: 'count of orders',
    columns: { count: 'integer' },
    variants: conditions().map(({ name, conditions, values }) => ({
      name,
      text: countStatement(conditions),
      values,
    })),
  },
  {
    name: 'search for words',
    columns: MATCHING,
    variants: [['%ab%'], ['%ab%', '%cd%']].map((patterns) => ({
      name: `${patterns.length} patterns`,
      ...matchingOrders(patterns),
    })),
  },
  {
    name: 'export as text',
    columns: Object.fromEntries(EXPORT_NAMES.map((name) => [name, 'text'])),
    variants: exported(exportText),
  },
  { name: 'export as JSON', columns: { row_to_json: 'text' }, variants: exported(exportJson) },
];
