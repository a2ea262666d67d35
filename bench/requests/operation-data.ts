import type pg from 'pg';

/** The number of orders that callbacks update, and the number of orders whose tracking text is read. */
const ORDER_COUNT = 500;
const PRODUCTS_PER_CATEGORY = 100;

const ADD_PRODUCTS = `
INSERT INTO products (code, category_id, name)
SELECT upper(left(c.name, 2)) || '-' || lpad(n::text, 3, '0'), c.id, initcap(c.name) || ' ' || n
  FROM categories c CROSS JOIN generate_series(1, $1::int) AS n`;

/** $1: shop id, $2: number of orders, $3: prefix of the order numbers. Shipped orders with one shipment each. */
const ADD_ORDERS = `
WITH added_orders AS (
  INSERT INTO orders (shop_id, receipt_id, status, tracking_status, sale_date, carrier_code)
  SELECT $1, $3 || (100000 + n), 'shipped', 'in_transit', now() - interval '8 days', 'yanwen'
    FROM generate_series(1, $2::int) AS n
  RETURNING id, receipt_id
), added_numbers AS (
  INSERT INTO tracking_numbers (tracking_number, carrier_code, status, sub_status, status_at)
  SELECT 'LX' || receipt_id || 'CN', 'yanwen', 'in_transit', 'InTransit_Arrival', now() - interval '31 hours' FROM added_orders
), added_number_shops AS (
  INSERT INTO tracking_number_shops (tracking_number, shop_id) SELECT 'LX' || receipt_id || 'CN', $1 FROM added_orders
), added_shipments AS (
  INSERT INTO shipments (shop_id, order_id, tracking_number, carrier_code)
  SELECT $1, id, 'LX' || receipt_id || 'CN', 'yanwen' FROM added_orders
)
SELECT id::int AS id, 'LX' || receipt_id || 'CN' AS number FROM added_orders ORDER BY id`;

/** $1: tracking numbers. Each gets the events of a shipment in transit. */
const ADD_EVENTS = `
INSERT INTO tracking_events (tracking_number, kind, identity, occurred_at, status, sub_status, description, location, source)
SELECT n, 'event', sha256((n || e.hours)::bytea), now() - make_interval(hours => e.hours), e.status::tracking_status, e.sub,
       e.description, e.location, '17track'
  FROM unnest($1::text[]) AS n CROSS JOIN (VALUES
    (158, 'info_received', 'InfoReceived', 'Shipment information received', 'Shenzhen'),
    (149, 'in_transit', 'InTransit_PickedUp', 'Picked up', 'Shenzhen'),
    (133, 'in_transit', 'InTransit_Departure', 'Departed from the sorting centre', 'Guangzhou'),
    (95, 'in_transit', 'InTransit_CustomsProcessing', 'Export customs cleared', 'Hong Kong'),
    (58, 'in_transit', 'InTransit_Other', 'Departed from the airport', 'Hong Kong'),
    (31, 'in_transit', 'InTransit_Arrival', 'Arrived at the destination', 'Los Angeles, CA')
  ) AS e(hours, status, sub, description, location)`;

/** The data that the operations are measured with. */
export interface OperationData {
  /** Tracking numbers whose events the callbacks report. */
  trackingNumbers: string[];
  /** Ids of the orders whose tracking text is read. */
  orderIds: number[];
}

/** Creates several hundred products, and orders in transit with six events each. */
export async function makeOperationData(db: pg.Client, shopId: number): Promise<OperationData> {
  await db.query(ADD_PRODUCTS, [PRODUCTS_PER_CATEGORY]);
  const addOrders = async (prefix: string) => {
    const { rows } = await db.query<{ id: number; number: string }>(ADD_ORDERS, [
      shopId,
      ORDER_COUNT,
      prefix,
    ]);
    const numbers = rows.map((row) => row.number);
    await db.query(ADD_EVENTS, [numbers]);
    return { ids: rows.map((row) => row.id), numbers };
  };
  return { trackingNumbers: (await addOrders('7')).numbers, orderIds: (await addOrders('8')).ids };
}
