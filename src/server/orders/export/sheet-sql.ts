import { orderValueSql, paidByBuyerSql } from '../order-value-sql';
import { EXPORT_COLUMNS, type ExportColumnName, hasItemRows } from './columns';

/** The statements of exported spreadsheets, composed from the requested columns. */

/** Aggregates of the order's items. */
const ITEM_AGGREGATES = {
  units: 'sum(t.units) FILTER (WHERE NOT t.is_blank)',
  // One line per item: `2 × Fox Sticker (Size:A3)`.
  contents: `string_agg(t.units || ' × ' || coalesce(t.title, t.sku, t.listing_id, '–')
      || coalesce(' (' || regexp_replace(t.choices, '[\\r\\n]+', ', ', 'g') || ')', ''), E'\\n' ORDER BY t.id)
      FILTER (WHERE NOT t.is_blank)`,
  items_total: 'trim_scale(sum(t.total))',
  discounts: 'trim_scale(sum(t.discount_amount) FILTER (WHERE t.total IS NOT NULL))',
  value: `trim_scale(${orderValueSql('o', 't')})`,
  paid: `trim_scale(${paidByBuyerSql('o', 't')})`,
  // Orders have no phone field: the number comes from an extra column or member whose name suggests a phone.
  phone: `(array_agg(m.phone ORDER BY t.id) FILTER (WHERE m.phone IS NOT NULL))[1]`,
} as const;

const SHIPMENT_AGGREGATES = {
  tracking_numbers: `string_agg(p.tracking_number, E'\\n' ORDER BY p.created_at, p.id)`,
  carrier: `coalesce((array_agg(p.carrier_code ORDER BY p.created_at DESC, p.id) FILTER (WHERE p.carrier_code IS NOT NULL))[1], o.carrier_code)`,
} as const;

type AggregateName = keyof typeof ITEM_AGGREGATES | keyof typeof SHIPMENT_AGGREGATES;

const PLAIN_EXPRESSIONS: Record<Exclude<ExportColumnName, AggregateName>, string> = {
  receipt_id: 'o.receipt_id',
  sold: `to_char(o.sale_date AT TIME ZONE $zone, 'YYYY-MM-DD HH24:MI')`,
  shop: 's.name',
  status: 'o.status',
  buyer: 'o.buyer',
  line: 't.line',
  sku: 't.sku',
  title: 't.title',
  variations: 't.choices',
  quantity: 'CASE WHEN NOT t.is_blank THEN t.units END',
  listing_id: 't.listing_id',
  transaction_id: 't.transaction_id',
  price: 'trim_scale(t.price)',
  discount_amount: 'trim_scale(t.discount_amount)',
  item_total: 'trim_scale(t.total)',
  coupon_code: 't.coupon_code',
  inperson_discount: 'trim_scale(o.inperson_discount)',
  order_shipping: 'trim_scale(o.order_shipping)',
  shipping_discount: 'trim_scale(o.shipping_discount)',
  order_sales_tax: 'trim_scale(o.order_sales_tax)',
  vat_paid_by_buyer: 'trim_scale(o.vat_paid_by_buyer)',
  currency: 'o.currency',
  payment_method: 'o.payment_method',
  name: 'o.name',
  first_line: 'o.first_line',
  second_line: 'o.second_line',
  city: 'o.city',
  state: 'o.state',
  zip: 'o.zip',
  country_code: 'o.country_code',
  country_name: 'o.country_name',
  tracking_status: 'o.tracking_status',
  note: 'o.note',
  weight: 'NULL',
  blank: 'NULL',
};

const isKeyOf = <Table extends object>(table: Table, name: string): name is Extract<keyof Table, string> =>
  name in table;

function expressionOf(name: ExportColumnName, zonePlaceholder: string, hasRowPerItem: boolean): string {
  const { scope, isSummed } = EXPORT_COLUMNS[name];
  const expression = isKeyOf(ITEM_AGGREGATES, name)
    ? `i.${name}`
    : isKeyOf(SHIPMENT_AGGREGATES, name)
      ? `p.${name}`
      : PLAIN_EXPRESSIONS[name].replace('$zone', zonePlaceholder);
  return hasRowPerItem && scope === 'order' && isSummed
    ? `CASE WHEN coalesce(t.line, 1) = 1 THEN ${expression} END`
    : expression;
}

const aggregateListSql = (table: Readonly<Record<string, string>>, names: readonly string[]) =>
  names.map((name) => `${table[name]} AS ${name}`).join(', ');

/** Which orders an export contains and how they are sorted; both refer to `o`. */
interface ExportSelection {
  condition: string;
  orderBy: string;
}

/**
 * Returns the statement for the rows of an export: all cells as text, then the order's currency. Items are read only if a column
 * needs them.
 *
 * @param zonePlaceholder such as `$3`; stands for the time zone
 */
export function sheetStatement(
  columns: readonly ExportColumnName[],
  { condition, orderBy }: ExportSelection,
  zonePlaceholder: string,
): string {
  const hasRowPerItem = hasItemRows(columns);
  const cellExpressions = columns.map(
    (name, index) => `(${expressionOf(name, zonePlaceholder, hasRowPerItem)})::text AS c${index}`,
  );
  const itemAggregateNames = [...new Set(columns)].filter((name) => isKeyOf(ITEM_AGGREGATES, name));
  const shipmentAggregateNames = [...new Set(columns)].filter((name) => isKeyOf(SHIPMENT_AGGREGATES, name));
  const phoneJoin = `LEFT JOIN LATERAL (
      SELECT x.value AS phone FROM jsonb_each_text(t.extra) x
       WHERE x.key ~* '(phone|mobile|电话|手机)' AND x.value <> '' LIMIT 1) m ON true`;
  return `
SELECT ${[...cellExpressions, 'o.currency::text AS currency'].join(', ')}
  FROM orders o JOIN shops s ON s.id = o.shop_id
  ${
    itemAggregateNames.length > 0
      ? `CROSS JOIN LATERAL (SELECT ${aggregateListSql(ITEM_AGGREGATES, itemAggregateNames)} FROM described_items t ${itemAggregateNames.includes('phone') ? phoneJoin : ''}
      WHERE t.shop_id = o.shop_id AND t.order_id = o.id) i`
      : ''
  }
  ${
    shipmentAggregateNames.length > 0
      ? `CROSS JOIN LATERAL (SELECT ${aggregateListSql(SHIPMENT_AGGREGATES, shipmentAggregateNames)} FROM shipments p
      WHERE p.shop_id = o.shop_id AND p.order_id = o.id) p`
      : ''
  }
  ${
    hasRowPerItem
      ? `LEFT JOIN LATERAL (SELECT t.*, row_number() OVER (ORDER BY t.id) AS line FROM described_items t
      WHERE t.shop_id = o.shop_id AND t.order_id = o.id AND NOT t.is_blank) t ON true`
      : ''
  }
 WHERE ${condition}
 ORDER BY ${orderBy}${hasRowPerItem ? ', t.line' : ''}`;
}

/** Returns the statement for the time zones of the shops whose orders an export contains. */
export const zonesStatement = (condition: string) => `
SELECT DISTINCT s.time_zone FROM shops s
 WHERE s.id IN (SELECT o.shop_id FROM orders o WHERE ${condition})`;
