// Written by `npm run sql` from unmatched.sql: change that file instead.
import { Statement } from '../db/statement';

export type order_status = 'cancelled' | 'delivered' | 'paid' | 'pending' | 'shipped';
export type DateOrString = Date | string;
export type DateOrStringArray = (DateOrString)[];
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface CountUnmatchedRow {
  open: number;
}

export const countUnmatched = new Statement<undefined, CountUnmatchedRow>('unmatched.countUnmatched', `
SELECT count(*)::int AS "open" FROM unmatched_work WHERE entry_state = 'open'`);

export interface ListUnmatchedParams {
  assignedTo: number | null;
  cursorId: string | null;
  cursorPosition: NumberOrString | null;
  limit: NumberOrString;
  state: string;
  unassigned: boolean;
}

export interface ListUnmatchedRow {
  assignee: string | null;
  assignee_id: number | null;
  carrier: string | null;
  handled_at: string | null;
  id: string;
  latest_at: string;
  position: string;
  since: string;
  snoozed_until: string | null;
  title: string | null;
}

export const listUnmatched = new Statement<ListUnmatchedParams, ListUnmatchedRow>('unmatched.listUnmatched', `
-- One page, the latest first.
SELECT u.tracking_number AS "id", (extract(epoch FROM u.since) * 1000000)::bigint::text AS "position",
       to_char(u.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "since",
       to_char(u.latest_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "latest_at",
       to_char(u.handled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS handled_at,
       to_char(u.snoozed_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS snoozed_until,
       p.id AS "assignee_id", p.name AS "assignee", n.carrier_code AS carrier,
       (SELECT coalesce(e.description, e.provider_status) FROM tracking_events e WHERE e.tracking_number = u.tracking_number
         ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1) AS title
  FROM unmatched_work u
  JOIN tracking_numbers n ON n.tracking_number = u.tracking_number
  LEFT JOIN users p ON p.id = u.assigned_to
 WHERE u.entry_state = $1
   AND ($2::int IS NULL OR u.assigned_to = $2)
   AND (NOT $3::boolean OR u.assigned_to IS NULL)
   AND ($4::bigint IS NULL
        OR ((extract(epoch FROM u.since) * 1000000)::bigint, u.tracking_number) < ($4, $5::text))
 ORDER BY (extract(epoch FROM u.since) * 1000000)::bigint DESC, u.tracking_number DESC LIMIT $6`, ["state","assignedTo","unassigned","cursorPosition","cursorId","limit"]);

export interface DismissNumbersParams {
  now: DateOrString;
  seenAts: Readonly<DateOrStringArray>;
  trackingNumbers: Readonly<stringArray>;
  until: DateOrString | null;
  userId: number;
}

export interface DismissNumbersRow {
  id: string;
}

export const dismissNumbers = new Statement<DismissNumbersParams, DismissNumbersRow>('unmatched.dismissNumbers', `
-- Like \`dismiss\` in queues.sql, for tracking numbers.
UPDATE unmatched_numbers u
   SET handled_at = CASE WHEN $1::timestamptz IS NULL THEN $2::timestamptz END,
       handled_by = CASE WHEN $1::timestamptz IS NULL THEN $3::int END, snoozed_until = $1::timestamptz,
       seen_at = least(g.seen_at, $2::timestamptz)
  FROM (SELECT tracking_number, min(seen_at) AS seen_at
          FROM unnest($4::text[], $5::timestamptz[]) AS e(tracking_number, seen_at)
         GROUP BY tracking_number) g
 WHERE u.tracking_number = g.tracking_number AND u.matched_at IS NULL
   AND (u.seen_at IS NULL OR u.seen_at < least(g.seen_at, $2::timestamptz) OR u.snoozed_until <= $2::timestamptz)
RETURNING u.tracking_number AS "id"`, ["until","now","userId","trackingNumbers","seenAts"]);

export interface PutNumbersBackParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface PutNumbersBackRow {
  id: string;
}

export const putNumbersBack = new Statement<PutNumbersBackParams, PutNumbersBackRow>('unmatched.putNumbersBack', `
UPDATE unmatched_numbers SET handled_at = NULL, handled_by = NULL, snoozed_until = NULL, seen_at = NULL
 WHERE tracking_number = ANY($1::text[]) AND matched_at IS NULL AND seen_at IS NOT NULL
RETURNING tracking_number AS "id"`, ["trackingNumbers"]);

export interface AssignNumbersParams {
  trackingNumbers: Readonly<stringArray>;
  userId: number | null;
}

export interface AssignNumbersRow {
  id: string;
}

export const assignNumbers = new Statement<AssignNumbersParams, AssignNumbersRow>('unmatched.assignNumbers', `
UPDATE unmatched_numbers SET assigned_to = $1::int
 WHERE tracking_number = ANY($2::text[]) AND matched_at IS NULL
   AND assigned_to IS DISTINCT FROM $1::int
RETURNING tracking_number AS "id"`, ["userId","trackingNumbers"]);

export interface LockNumberParams {
  trackingNumber: string;
}

export interface LockNumberRow {
  now: string;
}

export const lockNumber = new Statement<LockNumberParams, LockNumberRow>('unmatched.lockNumber', `
-- With the time of the database, which decides whether a snooze is over.
SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "now"
  FROM unmatched_numbers WHERE tracking_number = $1 FOR UPDATE`, ["trackingNumber"]);

export interface ReadUnmatchedParams {
  trackingNumber: string;
}

export interface ReadUnmatchedRow {
  first_at: Date;
  note: string | null;
}

export const readUnmatched = new Statement<ReadUnmatchedParams, ReadUnmatchedRow>('unmatched.readUnmatched', `
SELECT u.note,
       coalesce((SELECT min(e.occurred_at) FROM tracking_events e WHERE e.tracking_number = u.tracking_number), u.since)
         AS "first_at"
  FROM unmatched_work u WHERE u.tracking_number = $1`, ["trackingNumber"]);

export interface FindOrdersByNumbersParams {
  limit: NumberOrString;
  trackingNumbers: Readonly<stringArray>;
}

export interface FindOrdersByNumbersRow {
  name: string | null;
  order_id: string;
  receipt_id: string;
  sale_date: Date | null;
  shop: string;
  shop_id: number;
  status: order_status;
  tracking_number: string;
}

export const findOrdersByNumbers = new Statement<FindOrdersByNumbersParams, FindOrdersByNumbersRow>('unmatched.findOrdersByNumbers', `
-- Across all shops: the orders with one of the tracking numbers.
SELECT o.id::text AS "order_id", o.shop_id, h.name AS shop, o.receipt_id, o.name, o.status, o.sale_date, s.tracking_number
  FROM shipments s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
  JOIN shops h ON h.id = s.shop_id
 WHERE s.tracking_number = ANY($1::text[])
 ORDER BY o.sale_date DESC NULLS LAST, o.id DESC LIMIT $2`, ["trackingNumbers","limit"]);

export interface ListReportedParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface ListReportedRow {
  tracking_number: string;
}

export const listReported = new Statement<ListReportedParams, ListReportedRow>('unmatched.listReported', `
-- Which of the tracking numbers a carrier has reported.
SELECT DISTINCT tracking_number FROM tracking_events WHERE tracking_number = ANY($1::text[])`, ["trackingNumbers"]);

export interface FindOrdersWithoutNumberParams {
  before: DateOrString;
  days: number;
  limit: NumberOrString;
}

export interface FindOrdersWithoutNumberRow {
  name: string | null;
  order_id: string;
  receipt_id: string;
  sale_date: Date | null;
  shop: string;
  shop_id: number;
  status: order_status;
}

export const findOrdersWithoutNumber = new Statement<FindOrdersWithoutNumberParams, FindOrdersWithoutNumberRow>('unmatched.findOrdersWithoutNumber', `
-- Across all shops: paid orders without a shipment that were sold in the days before an instant, the latest first.
SELECT o.id::text AS "order_id", o.shop_id, h.name AS shop, o.receipt_id, o.name, o.status, o.sale_date
  FROM orders o JOIN shops h ON h.id = o.shop_id
 WHERE o.status = 'paid' AND o.sale_date BETWEEN $1::timestamptz - make_interval(days => $2) AND $1::timestamptz
   AND NOT EXISTS (SELECT FROM shipments s WHERE s.shop_id = o.shop_id AND s.order_id = o.id)
 ORDER BY o.sale_date DESC, o.id DESC LIMIT $3`, ["before","days","limit"]);

export interface SetNoteParams {
  text: string | null;
  trackingNumber: string;
}

export interface SetNoteRow {
  tracking_number: string;
}

export const setNote = new Statement<SetNoteParams, SetNoteRow>('unmatched.setNote', `
UPDATE unmatched_numbers SET note = $1 WHERE tracking_number = $2 AND matched_at IS NULL
RETURNING tracking_number`, ["text","trackingNumber"]);
