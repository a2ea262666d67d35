// Written by `npm run sql` from queues.sql: change that file instead.
import { Statement } from '../db/statement';

export type queue = 'delivery_failed' | 'exception' | 'late' | 'not_scanned' | 'to_review' | 'to_ship';
export type DateOrString = Date | string;
export type DateOrStringArray = (DateOrString)[];
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type numberArray = (number)[];
export type stringArray = (string)[];

export interface CountOpenParams {
  shopIds: Readonly<numberArray> | null;
}

export interface CountOpenRow {
  open: number;
  queue: queue | null;
}

export const countOpen = new Statement<CountOpenParams, CountOpenRow>('queues.countOpen', `
-- A row for each queue of orders with open entries, and one without a queue for all of them, where an order counts once.
SELECT queue AS "queue", count(DISTINCT order_id)::int AS "open"
  FROM queue_work
 WHERE entry_state = 'open' AND ($1::int[] IS NULL OR shop_id = ANY($1))
 GROUP BY GROUPING SETS ((queue), ())`, ["shopIds"]);

export interface CountHandledTodayParams {
  userId: number;
}

export interface CountHandledTodayRow {
  handled: number;
}

export const countHandledToday = new Statement<CountHandledTodayParams, CountHandledTodayRow>('queues.countHandledToday', `
SELECT count(*)::int AS "handled"
  FROM (SELECT handled_at FROM queue_states WHERE handled_by = $1
         UNION ALL SELECT handled_at FROM unmatched_numbers WHERE handled_by = $1) h
 WHERE handled_at >= date_trunc('day', now() AT TIME ZONE 'America/New_York') AT TIME ZONE 'America/New_York'`, ["userId"]);

export interface ListEntriesParams {
  assignedTo: number | null;
  cause: string | null;
  cursorId: NumberOrString | null;
  cursorPosition: NumberOrString | null;
  direction: number;
  limit: NumberOrString;
  queue: queue;
  shopIds: Readonly<numberArray> | null;
  state: string;
  unassigned: boolean;
}

export interface ListEntriesRow {
  causes: Json;
  entries: Json;
}

export const listEntries = new Statement<ListEntriesParams, ListEntriesRow>('queues.listEntries', `
-- One page, and the number of entries per cause. direction: 1 for the oldest first, -1 for the newest first.
--
-- The cause follows from the sub-status of the shipment that has the problem, or else from the carrier's latest words about it.
WITH judged AS MATERIALIZED (
  SELECT w.shop_id, w.order_id, w.queue, w.updated_at, w.assigned_to, w.handled_at, w.snoozed_until,
         coalesce(w.since, p.since, w.updated_at) AS since,
         (extract(epoch FROM coalesce(w.since, p.since, w.updated_at)) * 1000000)::bigint * $1::int AS position,
         CASE WHEN w.queue IN ('exception', 'delivery_failed') THEN
           CASE regexp_replace(lower(p.sub_status), '^[^_]*_', '')
             WHEN 'lost' THEN 'lost'
             WHEN 'damage' THEN 'damaged'
             WHEN 'destroyed' THEN 'damaged'
             WHEN 'returning' THEN 'returned'
             WHEN 'returned' THEN 'returned'
             WHEN 'rejected' THEN 'refused'
             WHEN 'security' THEN 'customs'
             WHEN 'delayed' THEN 'delayed'
             WHEN 'nobody' THEN 'nobody'
             WHEN 'invalidaddress' THEN 'address'
             ELSE CASE
               WHEN p.words ~ '\\m(lost|missing)\\M|丢失|遗失|丢件' THEN 'lost'
               WHEN p.words ~ 'damag|destroy|broken|破损|损坏|损毁' THEN 'damaged'
               WHEN p.words ~ 'refus|reject|拒收|拒签' THEN 'refused'
               WHEN p.words ~ 'customs|\\m(duty|duties)\\M|import tax|海关|清关|关税|扣关' THEN 'customs'
               WHEN p.words ~ 'return|退回|退件|退运' THEN 'returned'
               WHEN p.words ~ 'address|地址' THEN 'address'
               WHEN p.words ~ 'nobody|no one|not (at )?home|not available|absent|不在|无人' THEN 'nobody'
               WHEN p.words ~ 'delay|延误|延迟|滞留' THEN 'delayed'
               ELSE 'other' END
           END
         END AS cause
    FROM queue_work w
    LEFT JOIN LATERAL (
      SELECT coalesce(b.status_at, s.created_at) AS since, b.sub_status,
             (SELECT lower(coalesce(t.description, '') || ' ' || coalesce(t.provider_status, '')) FROM tracking_events t
               WHERE t.tracking_number = b.tracking_number AND t.status = b.status
                 AND (t.description IS NOT NULL OR t.provider_status IS NOT NULL)
               ORDER BY t.occurred_at DESC, t.id DESC LIMIT 1) AS words
        FROM shipments s JOIN tracking_numbers b ON b.tracking_number = s.tracking_number
       WHERE s.shop_id = w.shop_id AND s.order_id = w.order_id AND b.status = w.tracking_status AND w.since IS NULL
       -- The label that waits longest; of several problems the latest.
       ORDER BY $1::int * extract(epoch FROM coalesce(b.status_at, s.created_at)) LIMIT 1) p ON true
   WHERE w.queue = $2 AND w.entry_state = $3
     AND ($4::int[] IS NULL OR w.shop_id = ANY($4))
     AND ($5::int IS NULL OR w.assigned_to = $5)
     AND (NOT $6::boolean OR w.assigned_to IS NULL)
), page AS (
  SELECT j.* FROM judged j
   WHERE ($7::text IS NULL OR j.cause = $7)
     AND ($8::bigint IS NULL OR (j.position, j.order_id) > ($8, $9::bigint))
   ORDER BY j.position, j.order_id LIMIT $10
)
SELECT (SELECT coalesce(json_agg(json_build_object('cause', c.cause, 'count', c.count) ORDER BY c.count DESC, c.cause), '[]')
          FROM (SELECT cause, count(*) AS count FROM judged WHERE cause IS NOT NULL GROUP BY cause) c) AS "causes",
       (SELECT coalesce(json_agg(json_build_object(
                 'id', p.order_id::text, 'position', p.position::text, 'number', o.receipt_id,
                 'shop_id', p.shop_id, 'shop', h.name, 'name', o.name, 'buyer', o.buyer, 'title', i.title, 'items', i.items,
                 'since', to_char(p.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'cause', p.cause,
                 'latest_at', to_char(CASE WHEN p.queue = 'to_review' THEN p.since
                                           ELSE greatest(p.updated_at, i.latest_at, s.latest_at) END AT TIME ZONE 'UTC',
                                      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                 'assigned_to', CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END,
                 'handled_at', to_char(p.handled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                 'snoozed_until', to_char(p.snoozed_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                 'tracking_numbers', coalesce(s.numbers, '[]'),
                 'reply', CASE WHEN r.id IS NOT NULL THEN
                            json_build_object('id', r.id::text, 'warnings', jsonb_array_length(r.warnings)) END)
               ORDER BY p.position, p.order_id), '[]')
          FROM page p
          JOIN orders o ON o.shop_id = p.shop_id AND o.id = p.order_id
          JOIN shops h ON h.id = p.shop_id
          LEFT JOIN users u ON u.id = p.assigned_to
          LEFT JOIN LATERAL (
            SELECT (array_agg(t.title ORDER BY t.id) FILTER (WHERE NOT t.is_blank))[1] AS title,
                   count(*) FILTER (WHERE NOT t.is_blank)::int AS items, max(t.updated_at) AS latest_at
              FROM described_items t WHERE t.shop_id = p.shop_id AND t.order_id = p.order_id) i ON true
          LEFT JOIN LATERAL (
            SELECT max(greatest(t.updated_at, e.received_at)) AS latest_at,
                   json_agg(DISTINCT t.tracking_number) FILTER (WHERE t.tracking_number IS NOT NULL) AS numbers
              FROM shipments t LEFT JOIN tracking_events e ON e.tracking_number = t.tracking_number
             WHERE t.shop_id = p.shop_id AND t.order_id = p.order_id) s ON true
          LEFT JOIN LATERAL (
            SELECT v.id, v.warnings FROM replies_to_review v
             WHERE p.queue = 'to_review' AND v.shop_id = p.shop_id AND v.order_id = p.order_id
             ORDER BY v.created_at DESC, v.id DESC LIMIT 1) r ON true) AS "entries"`, ["direction","queue","state","shopIds","assignedTo","unassigned","cause","cursorPosition","cursorId","limit"]);

export interface CountNewParams {
  shopIds: Readonly<numberArray> | null;
  since: DateOrString;
}

export interface CountNewRow {
  count: number;
  queue: queue;
}

export const countNew = new Statement<CountNewParams, CountNewRow>('queues.countNew', `
-- Open entries for overview tiles: those whose problem began after \`since\`, and replies to review that carry warnings.
SELECT w.queue AS "queue", count(*)::int AS "count" FROM queue_work w
 WHERE w.entry_state = 'open' AND ($1::int[] IS NULL OR w.shop_id = ANY($1))
   AND (w.queue IN ('exception', 'delivery_failed')
        AND EXISTS (SELECT FROM shipments s JOIN tracking_numbers b ON b.tracking_number = s.tracking_number
                     WHERE s.shop_id = w.shop_id AND s.order_id = w.order_id AND b.status = w.tracking_status
                       AND b.status_at >= $2::timestamptz)
        OR w.queue = 'to_review'
        AND EXISTS (SELECT FROM replies_to_review v
                     WHERE v.shop_id = w.shop_id AND v.order_id = w.order_id AND v.created_at = w.since
                       AND v.warnings <> '[]'))
 GROUP BY 1`, ["shopIds","since"]);

export interface ListPeopleParams {
  roles: Readonly<stringArray>;
}

export interface ListPeopleRow {
  id: number;
  name: string;
}

export const listPeople = new Statement<ListPeopleParams, ListPeopleRow>('queues.listPeople', `
SELECT id, name FROM users WHERE deactivated_at IS NULL AND role::text = ANY($1::text[]) ORDER BY lower(name), id`, ["roles"]);

export interface FindPersonParams {
  roles: Readonly<stringArray>;
  userId: number;
}

export interface FindPersonRow {
  name: string;
}

export const findPerson = new Statement<FindPersonParams, FindPersonRow>('queues.findPerson', `
SELECT name FROM users WHERE id = $1 AND deactivated_at IS NULL AND role::text = ANY($2::text[])`, ["userId","roles"]);

export interface FindOrdersParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export interface FindOrdersRow {
  id: string;
}

export const findOrders = new Statement<FindOrdersParams, FindOrdersRow>('queues.findOrders', `
SELECT id::text AS "id" FROM orders WHERE shop_id = $1 AND id = ANY($2::bigint[])`, ["shopId","orderIds"]);

export interface SetAsideParams {
  orderIds: Readonly<NumberOrStringArray>;
  queue: queue;
  seenAts: Readonly<DateOrStringArray>;
  shopId: number;
  until: DateOrString | null;
  userId: number;
}

export interface SetAsideRow {
  order_id: string;
}

export const setAside = new Statement<SetAsideParams, SetAsideRow>('queues.setAside', `
-- Handles entries, or snoozes them until an instant. Changes open ones only, so that of two people who do so at once one is
-- counted; what happened after seenAts opens them again. In the order of the ids, so that two calls cannot block each other.
INSERT INTO queue_states AS s (shop_id, order_id, queue, handled_at, handled_by, snoozed_until, seen_at)
SELECT w.shop_id, w.order_id, w.queue, CASE WHEN $1::timestamptz IS NULL THEN now() END,
       CASE WHEN $1::timestamptz IS NULL THEN $2::int END, $1::timestamptz, least(g.seen_at, now())
  FROM (SELECT order_id, min(seen_at) AS seen_at FROM unnest($3::bigint[], $4::timestamptz[]) AS e(order_id, seen_at)
         GROUP BY order_id) g
  JOIN queue_work w ON w.shop_id = $5 AND w.order_id = g.order_id AND w.queue = $6 AND w.entry_state = 'open'
 ORDER BY w.order_id
ON CONFLICT (shop_id, order_id, queue) DO UPDATE
   SET handled_at = excluded.handled_at, handled_by = excluded.handled_by, snoozed_until = excluded.snoozed_until,
       seen_at = excluded.seen_at
 WHERE s.seen_at IS NULL OR s.seen_at < excluded.seen_at OR s.snoozed_until <= now()
RETURNING order_id::text AS "order_id"`, ["until","userId","orderIds","seenAts","shopId","queue"]);

export interface PutBackParams {
  orderIds: Readonly<NumberOrStringArray>;
  queue: queue;
  shopId: number;
}

export interface PutBackRow {
  order_id: string;
}

export const putBack = new Statement<PutBackParams, PutBackRow>('queues.putBack', `
UPDATE queue_states SET handled_at = NULL, handled_by = NULL, snoozed_until = NULL, seen_at = NULL
 WHERE shop_id = $1 AND queue = $2 AND order_id = ANY($3::bigint[]) AND seen_at IS NOT NULL
RETURNING order_id::text AS "order_id"`, ["shopId","queue","orderIds"]);

export interface AssignParams {
  orderIds: Readonly<NumberOrStringArray>;
  queue: queue;
  shopId: number;
  userId: number | null;
}

export interface AssignRow {
  order_id: string;
}

export const assign = new Statement<AssignParams, AssignRow>('queues.assign', `
INSERT INTO queue_states AS s (shop_id, order_id, queue, assigned_to)
SELECT e.shop_id, e.order_id, e.queue, $1::int
  FROM queue_entries e
 WHERE e.shop_id = $2 AND e.order_id = ANY($3::bigint[]) AND e.queue = $4
 ORDER BY e.order_id
ON CONFLICT (shop_id, order_id, queue) DO UPDATE SET assigned_to = excluded.assigned_to
 WHERE s.assigned_to IS DISTINCT FROM excluded.assigned_to
RETURNING order_id::text AS "order_id"`, ["userId","shopId","orderIds","queue"]);
