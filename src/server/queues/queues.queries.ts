// Written by `npm run sql` from queues.sql: change that file instead.
import { Statement } from '../db/statement';

export type queue = 'delivery_failed' | 'exception' | 'late' | 'not_scanned' | 'to_review' | 'to_ship';
export type DateOrString = Date | string;
export type DateOrStringArray = (DateOrString)[];
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type stringArray = (string)[];

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

export interface ListUsersParams {
  roles: Readonly<stringArray>;
}

export interface ListUsersRow {
  id: number;
  name: string;
}

export const listUsers = new Statement<ListUsersParams, ListUsersRow>('queues.listUsers', `
SELECT id, name FROM users WHERE deactivated_at IS NULL AND role::text = ANY($1::text[]) ORDER BY lower(name), id`, ["roles"]);

export interface FindUserParams {
  roles: Readonly<stringArray>;
  userId: number;
}

export interface FindUserRow {
  name: string;
}

export const findUser = new Statement<FindUserParams, FindUserRow>('queues.findUser', `
SELECT name FROM users WHERE id = $1 AND deactivated_at IS NULL AND role::text = ANY($2::text[])`, ["userId","roles"]);

export interface FindOrdersParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export interface FindOrdersRow {
  id: string;
  now: string;
}

export const findOrders = new Statement<FindOrdersParams, FindOrdersRow>('queues.findOrders', `
-- With the time of the database, which decides whether a snooze is over.
SELECT id::text AS "id", to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "now"
  FROM orders WHERE shop_id = $1 AND id = ANY($2::bigint[])`, ["shopId","orderIds"]);

export interface EndSnoozesParams {
  now: DateOrString;
  orderIds: Readonly<NumberOrStringArray>;
  queue: queue;
  shopId: number;
}

export const endSnoozes = new Statement<EndSnoozesParams, never>('queues.endSnoozes', `
-- Clears snoozes that are over.
UPDATE queue_states SET snoozed_until = NULL, seen_at = NULL
 WHERE shop_id = $1 AND queue = $2 AND order_id = ANY($3::bigint[]) AND snoozed_until <= $4::timestamptz`, ["shopId","queue","orderIds","now"]);

export interface DismissParams {
  now: DateOrString;
  orderIds: Readonly<NumberOrStringArray>;
  queue: queue;
  seenAts: Readonly<DateOrStringArray>;
  shopId: number;
  until: DateOrString | null;
  userId: number;
}

export interface DismissRow {
  order_id: string;
}

export const dismiss = new Statement<DismissParams, DismissRow>('queues.dismiss', `
-- Handles entries, or snoozes them until an instant. The entries must be open; if two users handle one at the same time, only one
-- of them is counted. Whatever happens after seenAts reopens them. Sorted by id, so that two calls cannot deadlock.
INSERT INTO queue_states AS s (shop_id, order_id, queue, handled_at, handled_by, snoozed_until, seen_at)
SELECT $1::int, g.order_id, $2::queue, CASE WHEN $3::timestamptz IS NULL THEN $4::timestamptz END,
       CASE WHEN $3::timestamptz IS NULL THEN $5::int END, $3::timestamptz, least(g.seen_at, $4::timestamptz)
  FROM (SELECT order_id, min(seen_at) AS seen_at FROM unnest($6::bigint[], $7::timestamptz[]) AS e(order_id, seen_at)
         GROUP BY order_id) g
 ORDER BY g.order_id
ON CONFLICT (shop_id, order_id, queue) DO UPDATE
   SET handled_at = excluded.handled_at, handled_by = excluded.handled_by, snoozed_until = excluded.snoozed_until,
       seen_at = excluded.seen_at
 WHERE s.seen_at IS NULL OR s.seen_at < excluded.seen_at
RETURNING order_id::text AS "order_id"`, ["shopId","queue","until","now","userId","orderIds","seenAts"]);

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
SELECT $1::int, e.order_id, $2::queue, $3::int
  FROM (SELECT DISTINCT order_id FROM unnest($4::bigint[]) AS e(order_id)) e
 ORDER BY e.order_id
ON CONFLICT (shop_id, order_id, queue) DO UPDATE SET assigned_to = excluded.assigned_to
 WHERE s.assigned_to IS DISTINCT FROM excluded.assigned_to
RETURNING order_id::text AS "order_id"`, ["shopId","queue","userId","orderIds"]);
