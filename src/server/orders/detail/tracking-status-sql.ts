/**
 * $1 order ids (bigint[]). Locks them in the order of their ids. A statement of its own, so that the next one sees what was
 * committed while this one waited.
 */
export const LOCK_ORDERS = `SELECT 1 FROM orders WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE`;

const NEXT = `
WITH summary AS (
  SELECT w.id,
         CASE WHEN bool_or(b.status = 'exception') THEN 'exception'::tracking_status
              WHEN bool_or(b.status = 'delivery_failure') THEN 'delivery_failure'::tracking_status
              ELSE min(b.status) END AS tracking_status,
         bool_and(b.status = 'delivered' OR (b.status NOT IN ('not_found', 'expired') AND EXISTS (
           SELECT FROM tracking_events e WHERE e.tracking_number = b.tracking_number AND e.status = 'delivered'
              AND NOT EXISTS (SELECT FROM tracking_events c WHERE c.tracking_number = e.tracking_number
                                AND c.kind = 'correction' AND c.occurred_at > e.occurred_at)
         ))) AS was_delivered,
         bool_or(b.status NOT IN ('not_found', 'expired', 'info_received')) AS moving
    FROM unnest($1::bigint[]) AS w(id)
    LEFT JOIN shipments s ON s.order_id = w.id
    LEFT JOIN waybills b ON b.tracking_number = s.tracking_number
   GROUP BY w.id
), next AS (
  SELECT id, tracking_status,
         CASE WHEN was_delivered THEN 'delivered'::order_status
              WHEN moving THEN 'shipped'::order_status END AS status
    FROM summary
)
`;

const CHANGE = `SET tracking_status = n.tracking_status, status = greatest(o.status, n.status), updated_at = now()`;
const DIFFERS = `(o.tracking_status, o.status) IS DISTINCT FROM (n.tracking_status, greatest(o.status, n.status))`;

/**
 * $1 ids of locked orders (bigint[]). Sets each order's tracking status from its shipments' waybills and moves its status forward
 * as it goes: exception or delivery_failure if any shipment has it, delivered only if
 * all have it, else that of the least advanced, null without shipments. Changes nothing twice.
 *
 * The order's own status asks whether each parcel was ever delivered, not whether it is now: one that is on its way back was, and
 * whether its delivery or its return was told of first must not matter. A delivery that a person has corrected since was none.
 */
export const REFRESH_TRACKING_STATUS = `${NEXT}
UPDATE orders o ${CHANGE} FROM next n WHERE o.id = n.id AND ${DIFFERS} RETURNING o.id`;

/** Whether a person gave the order the status that it has; `o` is the order. */
const SET_BY_HAND = `EXISTS (SELECT FROM audit_log a WHERE a.record_type = 'order' AND a.record_id = o.id::text
  AND a.action = 'order.set_status' AND a.after->>'status' = o.status::text)`;

/** What an order is without any event: shipped with a number or a sign of it, paid with a sale date; `o` is the order. */
const WITHOUT_EVENTS = `CASE WHEN o.shipped_indicator IS NOT NULL OR EXISTS (SELECT FROM shipments s WHERE s.order_id = o.id)
  THEN 'shipped'::order_status WHEN o.sale_date IS NOT NULL THEN 'paid' ELSE 'pending' END`;

/**
 * $1 ids of locked orders (bigint[]). Brings the orders in line after a person has taken something back: a tracking number, or what
 * was set of a parcel. Their statuses then also move back, to what is left without it; only those that a person has set, and
 * those of cancelled orders, stay.
 */
export const SETTLE_ORDERS = `${NEXT}, settled AS (
  SELECT o.id, n.tracking_status,
         CASE WHEN o.status = 'cancelled' OR ${SET_BY_HAND} THEN greatest(o.status, n.status)
              ELSE greatest(${WITHOUT_EVENTS}, n.status) END AS status
    FROM orders o JOIN next n ON n.id = o.id
)
UPDATE orders o SET tracking_status = n.tracking_status, status = n.status, updated_at = now()
  FROM settled n
 WHERE o.id = n.id AND (o.tracking_status, o.status) IS DISTINCT FROM (n.tracking_status, n.status)`;

/** $1 order ids (bigint[]). */
export const ORDER_STATES = `
SELECT id::text, status, tracking_status FROM orders WHERE id = ANY($1::bigint[]) ORDER BY orders.id`;

const difference = (side: 'old' | 'new') =>
  `CASE WHEN old_status <> new_status THEN jsonb_build_object('status', ${side}_status) ELSE '{}' END
      || CASE WHEN old_tracking IS DISTINCT FROM new_tracking
              THEN jsonb_build_object('tracking_status', ${side}_tracking) ELSE '{}' END`;

/**
 * $1 as above, $2 import. The same within an import, whose history then tells of the orders that existed before: what was known
 * of their waybills moved them on.
 */
export const REFRESH_AND_RECORD = `${NEXT}, changed AS (
  UPDATE orders o ${CHANGE} FROM next n JOIN orders s ON s.id = n.id WHERE o.id = n.id AND ${DIFFERS}
  RETURNING o.id, o.import_id, s.status AS old_status, o.status AS new_status,
            s.tracking_status AS old_tracking, o.tracking_status AS new_tracking
)
INSERT INTO import_changes (import_id, record, record_id, order_id, before, after)
SELECT $2, 'order', id, id, ${difference('old')}, ${difference('new')}
  FROM changed WHERE import_id IS DISTINCT FROM $2`;
