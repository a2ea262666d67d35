import { ServiceError } from '../../core/errors';
import { knownCurrency } from '../../core/iso-currencies';
import { because } from '../../core/reason';
import type { Database } from '../../db/client';
import { newestEventFirst } from './event-order';
import { itemDiscounts, itemTotal, orderPaid, orderValue } from './order-value-sql';

const INSTANT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', ${INSTANT})`;
const list = (rows: string, order: string) =>
  `coalesce(jsonb_agg(to_jsonb(${rows}) ORDER BY ${order}), '[]')`;
/** As text, since a JSON number would lose digits on its way. */
const money = (column: string) => `trim_scale(${column})::text AS ${column.split('.').at(-1)}`;

const ORDER = `
SELECT o.id::text, o.receipt_id, o.account_id AS shop_id, s.name AS shop, o.status, o.tracking_status,
       ${instant('o.sale_date')} AS sale_date, o.sold_on, o.shipped_indicator, o.buyer, o.currency,
       ${knownCurrency('o.currency')} IS NOT NULL AS currency_known, v.items_total, v.discounts, v.value, v.paid,
       ${['shipping_discount', 'order_shipping', 'order_sales_tax', 'vat_paid_by_buyer', 'inperson_discount'].map((name) => money(`o.${name}`)).join(', ')},
       o.inperson_location, o.name, o.first_line, o.second_line, o.city, o.state, o.zip, o.country_name,
       o.country_code::text, o.order_type, o.payment_method, o.carrier_code, o.note,
       ${instant('o.created_at')} AS created_at, ${instant('o.updated_at')} AS updated_at
  FROM orders o JOIN shops s ON s.id = o.account_id
 CROSS JOIN LATERAL (
   SELECT trim_scale(sum(${itemTotal('i')}))::text AS items_total,
          trim_scale(${itemDiscounts('i')})::text AS discounts,
          trim_scale(${orderValue('o', 'i')})::text AS value, trim_scale(${orderPaid('o', 'i')})::text AS paid
     FROM order_items i WHERE i.order_id = o.id) v
 WHERE o.id = $1`;

const ITEMS = `
SELECT ${list('i', 'i.position')} AS list FROM (
  SELECT t.id AS position, t.id::text, t.transaction_id, t.listing_id, t.title, t.variations, t.sku, t.quantity,
         ${['price', 'discount_amount'].map((name) => money(`t.${name}`)).join(', ')},
         trim_scale(${itemTotal('t')})::text AS item_total,
         t.coupon_code, t.coupon_details, t.listing_type, t.extra
    FROM order_items t WHERE t.order_id = $1) i`;

const SHIPMENTS = `
SELECT ${list('p', 'p.position')} AS list FROM (
  SELECT t.id AS position, t.tracking_number, coalesce(t.carrier_code, w.carrier_code) AS carrier_code, w.status, w.sub_status,
         (SELECT ${list('e', 'e.position')} FROM (
            SELECT row_number() OVER (ORDER BY ${newestEventFirst('v')}) AS position, v.id::text, v.kind,
                   ${instant('v.occurred_at')} AS occurred_at, v.status, v.sub_status, v.provider_status, v.description,
                   v.location, v.source
              FROM tracking_events v WHERE v.tracking_number = t.tracking_number
             ORDER BY 1 LIMIT 500) e) AS events
    FROM shipments t JOIN waybills w ON w.tracking_number = t.tracking_number WHERE t.order_id = $1) p`;

const NOTES = `
SELECT ${list('n', 'n.id DESC')} AS list FROM (
  SELECT id, author, coalesce(user_id = $2, false) AS own, text, ${instant('created_at')} AS created_at
    FROM order_notes WHERE order_id = $1) n`;

/** The latest two hundred changes: made by imports, and by people, as the audit log has them. */
const HISTORY = `
SELECT ${list('h', 'h.at DESC, h.position DESC')} AS list FROM (
  SELECT c.id AS position, ${instant('m.created_at')} AS at, 'import' AS kind, m.actor, m.id::text AS import_id,
         c.record::text, NULL AS action, c.before, c.after
    FROM import_changes c JOIN imports m ON m.id = c.import_id WHERE c.order_id = $1
  UNION ALL
  SELECT 0, ${instant('o.created_at')}, 'created', coalesce(m.actor, ''), m.id::text, 'order', NULL, NULL, NULL
    FROM orders o LEFT JOIN imports m ON m.id = o.import_id WHERE o.id = $1
  UNION ALL
  SELECT a.id, ${instant('a.created_at')}, 'person', a.actor, NULL, a.record_type, a.action, a.before, a.after
    FROM audit_log a WHERE a.record_type = 'order' AND a.record_id = $1::text
  ORDER BY at DESC LIMIT 200) h`;

/**
 * All of one order: fields, items, shipments with their events, notes, and what changed it.
 *
 * @throws ServiceError `not_found`
 */
export async function readOrder(db: Database, id: string, userId: number) {
  const part = async (text: string, values: unknown[] = [id]) => (await db.pool.query(text, values)).rows[0];
  const order = await part(ORDER);
  if (!order) throw new ServiceError('not_found', because('answer.noOrder', { id }));
  const [items, shipments, notes, history] = await Promise.all([
    part(ITEMS),
    part(SHIPMENTS),
    part(NOTES, [id, userId]),
    part(HISTORY),
  ]);
  return {
    ...order,
    items: items.list,
    shipments: shipments.list,
    notes: notes.list,
    history: history.list,
  };
}
