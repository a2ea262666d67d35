import type pg from 'pg';
import { ORDER_FIELDS, type OrderField } from '../../src/server/orders/import/column-map';
import type { BenchRow } from '../rows';

/**
 * The reference for the import: the same rows in the same tables, with their indexes and constraints, in two statements of one
 * transaction, and nothing else. No validation, no history, no merging, no countries, no statuses.
 */

const NUMBERS = new Set(['money', 'quantity']);
type Column = Exclude<OrderField, 'receipt_id'>;

function typeOf(name: Column): string {
  const { kind } = ORDER_FIELDS[name];
  if (NUMBERS.has(kind)) return kind === 'money' ? 'numeric' : 'integer';
  return kind === 'instant' ? 'timestamptz' : 'text';
}

function columns(scope: 'order' | 'item', sent: BenchRow): Column[] {
  return Object.keys(sent).filter(
    (name): name is Column => name !== 'receipt_id' && ORDER_FIELDS[name as OrderField]?.scope === scope,
  );
}

/** The two statements for rows with the members that `sent` has: $1 the shop, $2 the rows as JSON. */
function baselineStatements(sent: BenchRow): { orders: string; items: string } {
  const order = columns('order', sent);
  const item = columns('item', sent);
  const described = (names: Column[]) => names.map((name) => `${name} ${typeOf(name)}`).join(', ');
  const replaced = (names: Column[]) => names.map((name) => `${name} = EXCLUDED.${name}`).join(', ');
  return {
    orders: `
      INSERT INTO orders (shop_id, receipt_id, ${order.join(', ')})
      SELECT DISTINCT ON (receipt_id) $1::int, receipt_id, ${order.join(', ')}
        FROM json_to_recordset($2::json) AS r(receipt_id text, ${described(order)})
       ORDER BY receipt_id
      ON CONFLICT (shop_id, receipt_id) DO UPDATE SET ${replaced(order)}`,
    items: `
      INSERT INTO order_items (shop_id, order_id, ${item.join(', ')})
      SELECT o.shop_id, o.id, ${item.map((name) => `r.${name}`).join(', ')}
        FROM json_to_recordset($2::json) AS r(receipt_id text, ${described(item)})
        JOIN orders o ON o.shop_id = $1 AND o.receipt_id = r.receipt_id
      ON CONFLICT (shop_id, order_id, transaction_id) DO UPDATE SET ${replaced(item)}`,
  };
}

/** Stores the rows, starting from objects in memory and ending with the commit. */
export async function storeBare(
  client: pg.Client,
  accountId: number,
  rows: readonly BenchRow[],
): Promise<void> {
  const statements = baselineStatements(rows[0]!);
  const json = JSON.stringify(rows);
  await client.query('BEGIN');
  await client.query({ name: 'bare-orders', text: statements.orders, values: [accountId, json] });
  await client.query({ name: 'bare-items', text: statements.items, values: [accountId, json] });
  await client.query('COMMIT');
}
