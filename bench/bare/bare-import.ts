import type pg from 'pg';
import { ORDER_FIELDS, type OrderField } from '../../src/server/orders/column-map';
import type { BenchRow } from '../rows';

const NUMERIC_KINDS = new Set(['money', 'quantity']);
type Column = Exclude<OrderField, 'receipt_id'>;

function sqlTypeOf(name: Column): string {
  const { kind } = ORDER_FIELDS[name];
  if (NUMERIC_KINDS.has(kind)) return kind === 'money' ? 'numeric' : 'integer';
  return kind === 'instant' ? 'timestamptz' : 'text';
}

function columnsOf(scope: 'order' | 'item', sample: BenchRow): Column[] {
  return Object.keys(sample).filter(
    (name): name is Column => name !== 'receipt_id' && ORDER_FIELDS[name as OrderField]?.scope === scope,
  );
}

/** Returns the two statements for rows that have the same fields as `sample`. $1: shop id, $2: rows as JSON. */
function createBareStatements(sample: BenchRow): { ordersSql: string; itemsSql: string } {
  const orderColumns = columnsOf('order', sample);
  const itemColumns = columnsOf('item', sample);
  const declareColumns = (names: Column[]) => names.map((name) => `${name} ${sqlTypeOf(name)}`).join(', ');
  const assignColumns = (names: Column[]) => names.map((name) => `${name} = EXCLUDED.${name}`).join(', ');
  return {
    ordersSql: `
      INSERT INTO orders (shop_id, receipt_id, ${orderColumns.join(', ')})
      SELECT DISTINCT ON (receipt_id) $1::int, receipt_id, ${orderColumns.join(', ')}
        FROM json_to_recordset($2::json) AS r(receipt_id text, ${declareColumns(orderColumns)})
       ORDER BY receipt_id
      ON CONFLICT (shop_id, receipt_id) DO UPDATE SET ${assignColumns(orderColumns)}`,
    itemsSql: `
      INSERT INTO order_items (shop_id, order_id, ${itemColumns.join(', ')})
      SELECT o.shop_id, o.id, ${itemColumns.map((name) => `r.${name}`).join(', ')}
        FROM json_to_recordset($2::json) AS r(receipt_id text, ${declareColumns(itemColumns)})
        JOIN orders o ON o.shop_id = $1 AND o.receipt_id = r.receipt_id
      ON CONFLICT (shop_id, order_id, transaction_id) DO UPDATE SET ${assignColumns(itemColumns)}`,
  };
}

/** Rows as JSON. All have the same fields as `sample`. */
export interface BareRows {
  sample: BenchRow;
  json: string;
}

/**
 * The baseline for imports: stores the rows as orders and items with two statements in one transaction, in the service's tables
 * with their indexes and constraints. It leaves out validation, history, merging, countries and statuses.
 */
export async function storeBareRows(
  client: pg.Client,
  shopId: number,
  { sample, json }: BareRows,
): Promise<void> {
  const statements = createBareStatements(sample);
  await client.query('BEGIN');
  await client.query({ name: 'bare-orders', text: statements.ordersSql, values: [shopId, json] });
  await client.query({ name: 'bare-items', text: statements.itemsSql, values: [shopId, json] });
  await client.query('COMMIT');
}
