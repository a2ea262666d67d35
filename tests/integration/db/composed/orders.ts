import { BUILT_IN_LAYOUTS } from '../../../../src/server/orders/export/built-in';
import { EXPORT_COLUMN_NAMES } from '../../../../src/server/orders/export/columns';
import {
  EXPORT_MEMBER_NAMES,
  jsonStatement,
  textStatement,
} from '../../../../src/server/orders/export/export-sql';
import { sheetStatement, zonesStatement } from '../../../../src/server/orders/export/sheet-sql';
import {
  filteredOrdersStatement,
  limitedSearchStatement,
  type MatchingOrder,
} from '../../../../src/server/orders/filter/conditions-service';
import {
  afterPositionSql,
  ORDER_BY,
  toOrderConditions,
} from '../../../../src/server/orders/filter/filter-sql';
import { TAB_FILTERS } from '../../../../src/server/orders/filter/order-tabs';
import type { OrderFilter } from '../../../../src/server/orders/filter/schema';
import {
  type CountStatement,
  countStatement,
  namedCountsStatement,
} from '../../../../src/server/orders/list/count-service';
import {
  DESCRIBE_ORDERS_STATEMENT,
  type ListedOrder,
  type PageOrder,
  pageStatement,
} from '../../../../src/server/orders/list/service';
import { type ComposedStatement, makeFilters, type Variant } from './statement';

const MATCHING_ORDER_COLUMNS: Record<keyof MatchingOrder, string> = {
  shop_id: 'integer',
  order_id: 'bigint',
};

const COUNT_COLUMNS = { part: 'text', count: 'integer' };

const PAGE_ORDER_COLUMNS: Record<keyof PageOrder, string> = {
  shop_id: 'integer',
  id: 'text',
  receipt_id: 'text',
  sale_date: 'text',
};

const LISTED_ORDER_COLUMNS: Record<keyof ListedOrder, string> = {
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
  variations: 'text',
  tracking_numbers: 'text[]',
  carrier_code: 'text',
};

/** Every part of a filter in each of its forms. */
const FILTERS = makeFilters<OrderFilter>([
  { shops: [1] },
  { shops: [1, 2] },
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
  { ids: ['1', '2'] },
  { queue: 'to_ship' },
  { queue: 'exception' },
  { text: 'ab' },
  { text: 'lantern' },
  { text: 'a lantern' },
  { text: '4165001001 4165001002' },
]);
const ORDER_KEYS = { shopIds: [1], orderIds: ['1'] };
const POSITIONS = [
  null,
  { saleDate: null, id: '1' },
  { saleDate: '2026-08-22T00:00:00.000000Z', id: '1' },
] as const;

/** Each filter twice: before and after its search text has been looked up. */
const makeConditionVariants = ({ readsAll = false, readsPage = false } = {}) =>
  FILTERS.flatMap((filter) =>
    [null, ORDER_KEYS].map((matches) => ({
      name: `${JSON.stringify(filter)}${matches ? ', looked up' : ''}`,
      ...toOrderConditions(filter, { matches, readsAll, readsPage }),
    })),
  );

const makePageVariants = () =>
  (['newest', 'oldest'] as const).flatMap((direction) =>
    POSITIONS.flatMap((position) =>
      makeConditionVariants({ readsPage: true }).map(({ name, conditions, values }): Variant => {
        if (position) conditions.push(afterPositionSql(position, direction, values));
        const text = pageStatement(conditions, direction, `$${values.push(50)}::int`);
        return { name: `${name}, ${direction} after ${position?.saleDate ?? position?.id}`, text, values };
      }),
    ),
  );

const makeExportVariants = (makeStatementText: typeof textStatement) =>
  makeConditionVariants({ readsAll: true }).map(({ name, conditions, values }): Variant => {
    const text = makeStatementText({
      condition: conditions.join(' AND ') || 'true',
      orderBy: ORDER_BY.newest,
    });
    return { name, text, values };
  });

/** Each filter with each kind of queue. */
const QUEUE_FILTERS = FILTERS.flatMap((filter) =>
  (['late', 'not_scanned'] as const).map((queue): OrderFilter => ({ ...filter, queue })),
);

/** Pages of a queue's open orders: those open regardless of carriers' reports, and those reopened by reports. */
const makeQueuePageVariants = () =>
  QUEUE_FILTERS.map((filter): Variant => {
    const { conditions, values } = toOrderConditions(filter, { matches: null, openDueToReports: ORDER_KEYS });
    const text = pageStatement(conditions, 'oldest', `$${values.push(50)}::int`);
    return { name: JSON.stringify(filter), text, values };
  });

const makeCountVariant = (
  name: string,
  { textWithLimit, values, canLimitOnShards }: CountStatement,
): Variant => ({
  name,
  text: textWithLimit(10_001),
  values,
  canLimitOnShards,
});

const makeCountVariants = (filters: readonly OrderFilter[]) =>
  filters.flatMap((filter) =>
    [
      { matches: null },
      { matches: ORDER_KEYS },
      { matches: ORDER_KEYS, openDueToReports: ORDER_KEYS, importShopId: 1 },
    ].flatMap((options) => {
      const statement = countStatement(filter, options);
      return statement
        ? [makeCountVariant(`${JSON.stringify(filter)} with ${Object.keys(options)}`, statement)]
        : [];
    }),
  );

/** The layouts of sheets: every column alone, and the built-in ones. */
const LAYOUTS = [
  ...EXPORT_COLUMN_NAMES.map((name) => [name]),
  ...Object.values(BUILT_IN_LAYOUTS).map(({ columns }) => columns.map(({ column }) => column)),
];

/** Each layout is a separate statement, because its columns differ. */
const SHEET_STATEMENTS = LAYOUTS.map((columns): ComposedStatement => {
  const cellTypes = Object.fromEntries(columns.map((_, index) => [`c${index}`, 'text']));
  return {
    name: `sheet of ${columns.join(', ')}`,
    columns: { ...cellTypes, currency: 'text' },
    variants: makeConditionVariants({ readsAll: true }).map(({ name, conditions, values }) => ({
      name,
      text: sheetStatement(
        columns,
        { condition: conditions.join(' AND ') || 'true', orderBy: ORDER_BY.newest },
        `$${values.length + 1}`,
      ),
      values: columns.includes('sold') ? [...values, 'Europe/London'] : values,
    })),
  };
});

export const ORDER_STATEMENTS: ComposedStatement[] = [
  {
    name: 'page of a queue’s orders',
    columns: PAGE_ORDER_COLUMNS,
    variants: makeQueuePageVariants(),
  },
  {
    name: 'count of a queue’s orders',
    columns: COUNT_COLUMNS,
    variants: makeCountVariants(QUEUE_FILTERS),
  },
  {
    name: 'counts of the tabs',
    columns: COUNT_COLUMNS,
    variants: [makeCountVariant('all', namedCountsStatement(TAB_FILTERS))],
  },
  { name: 'page of orders', columns: PAGE_ORDER_COLUMNS, variants: makePageVariants() },
  {
    name: 'orders of a page',
    columns: LISTED_ORDER_COLUMNS,
    variants: [
      {
        name: 'two',
        text: DESCRIBE_ORDERS_STATEMENT.text,
        values: [
          [1, 2],
          ['1', '2'],
        ],
      },
    ],
  },
  {
    name: 'count of orders',
    columns: COUNT_COLUMNS,
    variants: makeCountVariants(FILTERS),
  },
  {
    name: 'orders of a filter',
    columns: MATCHING_ORDER_COLUMNS,
    variants: makeConditionVariants().map(({ name, conditions, values }) => ({
      name,
      text: filteredOrdersStatement(conditions, `$${values.push(10)}::int`),
      values,
    })),
  },
  {
    name: 'search for words',
    columns: MATCHING_ORDER_COLUMNS,
    variants: [['%ab%'], ['%ab%', '%cd%']].map((patterns) => ({
      name: `${patterns.length} patterns`,
      ...limitedSearchStatement(patterns),
    })),
  },
  {
    name: 'export as text',
    columns: Object.fromEntries(EXPORT_MEMBER_NAMES.map((name) => [name, 'text'])),
    variants: makeExportVariants(textStatement),
  },
  ...SHEET_STATEMENTS,
  {
    name: 'time zones of an export',
    columns: { time_zone: 'text' },
    variants: makeConditionVariants().map(({ name, conditions, values }) => ({
      name,
      text: zonesStatement(conditions.join(' AND ') || 'true'),
      values,
    })),
  },
  {
    name: 'export as JSON',
    columns: { fields_json: 'text', shipments: 'text', items: 'text' },
    variants: makeExportVariants(jsonStatement),
  },
];
