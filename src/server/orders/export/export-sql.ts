import { instantTextSql } from '../../core/lists/cursor';
import { FIELD_NAMES, ORDER_FIELDS, type OrderField } from '../column-map';
import { ITEM_FIELDS } from '../import/order-fields';
import { orderValueSql } from '../order-value-sql';

/** The export's statements, built from the field table so that new fields are exported automatically. */

type Output = [name: string, expression: string];

/** Ids too large for an exact JSON number are strings (docs/api-conventions.md). */
const idExpression = (column: string) =>
  `CASE WHEN ${column} > 9007199254740991 THEN to_json(${column}::text) ELSE to_json(${column}) END`;

/** ISO 8601 in UTC, as JavaScript writes it: 2026-08-22T04:00:00.000Z. */
const instantExpression = (column: string) => instantTextSql(column, 'MS');

function fieldOutput(alias: string, name: OrderField): Output {
  const column = `${alias}.${name}`;
  const { kind } = ORDER_FIELDS[name];
  if (kind === 'money') return [name, `trim_scale(${column})`];
  return [name, kind === 'instant' ? instantExpression(column) : column];
}

const outputListSql = (outputs: readonly Output[]) =>
  outputs.map(([name, expression]) => `${expression} AS ${name}`).join(', ');

/** Returns the SQL for an order's rows in a table, as a JSON array on one line; json_agg would put a line break after each row. */
const jsonListSql = (outputs: readonly Output[], from: string) => `(
  SELECT ('[' || coalesce(string_agg(row_to_json(x)::text, ','), '') || ']')::json
    FROM (SELECT ${outputListSql(outputs)} FROM ${from} t
           WHERE t.shop_id = o.shop_id AND t.order_id = o.id ORDER BY t.id) x)`;

const recordOutputs = (alias: string): Output[] => [
  ['import_id', idExpression(`${alias}.import_id`)],
  ['created_at', instantExpression(`${alias}.created_at`)],
  ['updated_at', instantExpression(`${alias}.updated_at`)],
];

const ITEM_OUTPUTS: Output[] = [
  ['id', idExpression('t.id')],
  ...ITEM_FIELDS.map((name) => fieldOutput('t', name)),
  ['extra', 't.extra'],
  ...recordOutputs('t'),
];

/** The members of a shipment, except its status, which belongs to the tracking number and is added later. */
const SHIPMENT_OUTPUTS: Output[] = [
  ['tracking_number', 't.tracking_number'],
  ['carrier_code', 't.carrier_code'],
];

/** Fields that are not stored in the order's column of the same name, or that appear elsewhere in the list. */
const SEPARATE_FIELDS = new Set<OrderField>(['receipt_id', 'tracking_number', 'carrier_code']);

const ORDER_OUTPUTS: Output[] = [
  ['id', idExpression('o.id')],
  ['account_id', 'o.shop_id'],
  ['receipt_id', 'o.receipt_id'],
  ['status', 'o.status'],
  ['tracking_status', 'o.tracking_status'],
  ...FIELD_NAMES.filter((name) => ORDER_FIELDS[name].scope === 'order' && !SEPARATE_FIELDS.has(name)).flatMap(
    (name): Output[] =>
      name === 'country_name'
        ? [fieldOutput('o', name), ['country_code', 'o.country_code::text']]
        : [fieldOutput('o', name)],
  ),
  // The order's value, without shipping and taxes, as everywhere else.
  [
    'value',
    `(SELECT trim_scale(${orderValueSql('o', 't')}) FROM described_items t WHERE t.shop_id = o.shop_id AND t.order_id = o.id)`,
  ],
  ...recordOutputs('o'),
  ['tracking_number', 'newest.tracking_number'],
  ['carrier_code', 'coalesce(newest.carrier_code, o.carrier_code)'],
  ['shipments', jsonListSql(SHIPMENT_OUTPUTS, 'shipments')],
  ['items', jsonListSql(ITEM_OUTPUTS, 'order_items')],
];

/** The names of an order's members in the export, which are also the columns of its CSV form. */
export const EXPORT_MEMBER_NAMES: readonly string[] = ORDER_OUTPUTS.map(([name]) => name);

/** Which orders an export contains and how they are sorted; both refer to `o`. */
interface ExportSelection {
  condition: string;
  orderBy: string;
}

/**
 * Returns the statement for the selected orders. An order's tracking_number is the first of those that were added last; all
 * shipments of one import share one created_at.
 */
const ordersStatement = ({ condition, orderBy }: ExportSelection) => `
  SELECT ${outputListSql(ORDER_OUTPUTS)}
    FROM orders o
    LEFT JOIN LATERAL (
      SELECT s.tracking_number, s.carrier_code FROM shipments s
       WHERE s.shop_id = o.shop_id AND s.order_id = o.id ORDER BY s.created_at DESC, s.id LIMIT 1) newest ON true
   WHERE ${condition}
   ORDER BY ${orderBy}`;

/** Returns the statement for CSV files and workbooks: one row per order, its members as text. */
export const textStatement = (selection: ExportSelection) =>
  `SELECT ${EXPORT_MEMBER_NAMES.map((name) => `e.${name}::text`).join(', ')} FROM (${ordersStatement(selection)}) e`;

/** The members that are selected separately from the rest of the JSON, so that statuses can be added to the shipments. */
const LIST_NAMES: readonly string[] = ['shipments', 'items'];

/**
 * Returns the statement for JSON. The columns are the order's JSON on one line, without {@link LIST_NAMES} and the closing brace,
 * and then the two lists. PostgreSQL writes the JSON, so that amounts stay exact.
 */
export const jsonStatement = (selection: ExportSelection) => {
  const plainNames = EXPORT_MEMBER_NAMES.filter((name) => !LIST_NAMES.includes(name));
  return `
SELECT left(row_to_json(x)::text, -1) AS fields_json, e.shipments::text, e.items::text
  FROM (${ordersStatement(selection)}) e, LATERAL (SELECT ${plainNames.map((name) => `e.${name}`).join(', ')}) x`;
};
