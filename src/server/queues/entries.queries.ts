// Written by `npm run sql` from entries.sql: change that file instead.
import { Statement } from '../db/statement';

export type queue = 'delivery_failed' | 'exception' | 'late' | 'not_scanned' | 'to_review' | 'to_ship';
export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type DateOrString = Date | string;
export type DateOrStringArray = (DateOrString)[];
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type numberArray = (number)[];
export type queueArray = (queue)[];
export type stringArray = (string)[];
export type tracking_statusArray = (tracking_status)[];

export interface CountOpenParams {
  shopIds: Readonly<numberArray> | null;
}

export interface CountOpenRow {
  orders: number;
  queues: stringArray;
}

export const countOpen = new Statement<CountOpenParams, CountOpenRow>('entries.countOpen', `
-- The entries that are open no matter what carriers have reported, as the number of orders in each combination of queues. Grouped
-- by orders with their shops, so that each server of a cluster counts its own.
SELECT o.queues::text[] AS "queues", count(*)::int AS "orders"
  FROM (SELECT shop_id, order_id, array_agg(queue) AS queues FROM queue_records
         WHERE record_state = 'open' AND queue <> 'not_scanned' AND ($1::int[] IS NULL OR shop_id = ANY($1))
         GROUP BY shop_id, order_id) o
 GROUP BY 1`, ["shopIds"]);

export interface FindOpenParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopIds: Readonly<numberArray>;
}

export interface FindOpenRow {
  order_id: string;
  shop_id: number | null;
}

export const findOpen = new Statement<FindOpenParams, FindOpenRow>('entries.findOpen', `
-- Which of the orders countOpen counts.
SELECT DISTINCT shop_id, order_id::text AS "order_id" FROM queue_records
 WHERE record_state = 'open' AND queue <> 'not_scanned'
   AND shop_id = ANY($1::int[]) AND order_id = ANY($2::bigint[])`, ["shopIds","orderIds"]);

export interface ListDismissedParams {
  queues: Readonly<queueArray>;
  shopIds: Readonly<numberArray> | null;
}

export interface ListDismissedRow {
  order_id: string;
  queue: queue;
  record_state: string;
  seen_at: string | null;
  shipments: Json;
  shop_id: number;
  since: string | null;
  tracking_status: tracking_status | null;
}

export const listDismissed = new Statement<ListDismissedParams, ListDismissedRow>('entries.listDismissed', `
-- The entries that users have handled or snoozed and that the shops' records have not reopened. The condition on \`seen_at\` is
-- redundant, but with it PostgreSQL starts from these entries instead of reading all.
SELECT e.queue AS "queue", e.shop_id AS "shop_id", e.order_id::text AS "order_id", e.tracking_status,
       to_char(e.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS since,
       to_char(e.seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS seen_at,
       e.record_state AS "record_state",
       coalesce((SELECT json_agg(json_build_object(
                          'number', s.tracking_number,
                          'created_at', to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
                   FROM shipments s WHERE s.shop_id = e.shop_id AND s.order_id = e.order_id), '[]') AS "shipments"
  FROM queue_records e
 WHERE e.queue = ANY($1::queue[]) AND ($2::int[] IS NULL OR e.shop_id = ANY($2))
   AND e.seen_at IS NOT NULL AND e.record_state <> 'open'`, ["queues","shopIds"]);

export interface ListRecordsParams {
  orderIds: Readonly<NumberOrStringArray> | null;
  queues: Readonly<queueArray>;
  shopIds: Readonly<numberArray> | null;
}

export interface ListRecordsRow {
  assigned_to: number | null;
  handled_at: string | null;
  order_id: string;
  queue: queue;
  record_state: string;
  seen_at: string | null;
  shipments: Json;
  shop_id: number;
  since: string | null;
  snoozed_until: string | null;
  tracking_status: tracking_status | null;
  updated_at: string;
}

export const listRecords = new Statement<ListRecordsParams, ListRecordsRow>('entries.listRecords', `
-- With shipments where the entry depends on carriers' reports. If a statement does not read \`record_state\`, PostgreSQL drops the
-- join of the view, and a cluster then sends all entries to its coordinator.
SELECT e.queue AS "queue", e.shop_id AS "shop_id", e.order_id::text AS "order_id", e.tracking_status, e.assigned_to,
       to_char(e.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS since,
       to_char(e.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updated_at",
       to_char(e.seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS seen_at,
       to_char(e.handled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS handled_at,
       to_char(e.snoozed_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS snoozed_until,
       e.record_state AS "record_state",
       coalesce(CASE WHEN e.since IS NULL OR e.seen_at IS NOT NULL AND e.queue <> 'to_review' THEN
         (SELECT json_agg(json_build_object(
                   'number', s.tracking_number,
                   'created_at', to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
            FROM shipments s WHERE s.shop_id = e.shop_id AND s.order_id = e.order_id) END, '[]') AS "shipments"
  FROM queue_records e
 WHERE e.queue = ANY($1::queue[]) AND ($2::int[] IS NULL OR e.shop_id = ANY($2))
   AND ($3::bigint[] IS NULL OR e.order_id = ANY($3))`, ["queues","shopIds","orderIds"]);

export interface FindReportedParams {
  instants: Readonly<DateOrStringArray>;
  trackingNumbers: Readonly<stringArray>;
}

export interface FindReportedRow {
  position: number;
}

export const findReported = new Statement<FindReportedParams, FindReportedRow>('entries.findReported', `
-- The positions, from 1, of the tracking numbers that carriers have reported since the instant at the same position.
SELECT DISTINCT n.position::int AS "position"
  FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS n(tracking_number, instant, position)
  JOIN tracking_events t ON t.tracking_number = n.tracking_number AND t.received_at > n.instant`, ["trackingNumbers","instants"]);

export interface ReadTrackingNumbersParams {
  days: number;
  trackingNumbers: Readonly<stringArray>;
}

export interface ReadTrackingNumbersRow {
  cause: string | null;
  label_before: string;
  status: tracking_status;
  status_at: string | null;
  tracking_number: string;
}

export const readTrackingNumbers = new Statement<ReadTrackingNumbersParams, ReadTrackingNumbersRow>('entries.readTrackingNumbers', `
-- \`label_before\` is the instant before which a label must have been there to be in the queue "Not scanned". The cause is derived
-- from the sub-status, otherwise from the carrier's latest text about it.
SELECT n.tracking_number, n.status, to_char(n.status_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS status_at,
       to_char((now() - make_interval(days => $1)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "label_before",
       CASE WHEN n.status IN ('exception', 'delivery_failure') THEN
         CASE regexp_replace(lower(n.sub_status), '^[^_]*_', '')
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
             WHEN n.words ~ '\\m(lost|missing)\\M|丢失|遗失|丢件' THEN 'lost'
             WHEN n.words ~ 'damag|destroy|broken|破损|损坏|损毁' THEN 'damaged'
             WHEN n.words ~ 'refus|reject|拒收|拒签' THEN 'refused'
             WHEN n.words ~ 'customs|\\m(duty|duties)\\M|import tax|海关|清关|关税|扣关' THEN 'customs'
             WHEN n.words ~ 'return|退回|退件|退运' THEN 'returned'
             WHEN n.words ~ 'address|地址' THEN 'address'
             WHEN n.words ~ 'nobody|no one|not (at )?home|not available|absent|不在|无人' THEN 'nobody'
             WHEN n.words ~ 'delay|延误|延迟|滞留' THEN 'delayed'
             ELSE 'other' END
         END
       END AS cause
  FROM (SELECT b.tracking_number, b.status, b.status_at, b.sub_status,
               CASE WHEN b.status IN ('exception', 'delivery_failure') THEN
                 (SELECT lower(coalesce(t.description, '') || ' ' || coalesce(t.provider_status, '')) FROM tracking_events t
                   WHERE t.tracking_number = b.tracking_number AND t.status = b.status
                     AND (t.description IS NOT NULL OR t.provider_status IS NOT NULL)
                   ORDER BY t.occurred_at DESC, t.id DESC LIMIT 1) END AS words
          FROM tracking_numbers b WHERE b.tracking_number = ANY($2::text[]) OFFSET 0) n`, ["days","trackingNumbers"]);

export interface DescribeOrdersParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopIds: Readonly<numberArray>;
}

export interface DescribeOrdersRow {
  buyer: string | null;
  items: number;
  latest_at: string;
  name: string | null;
  number: string;
  order_id: string;
  shop: string;
  title: string | null;
  tracking_numbers: stringArray;
}

export const describeOrders = new Statement<DescribeOrdersParams, DescribeOrdersRow>('entries.describeOrders', `
SELECT o.id::text AS "order_id", o.receipt_id AS number, h.name AS shop, o.name, o.buyer,
       (SELECT t.title FROM described_items t
         WHERE t.shop_id = o.shop_id AND t.order_id = o.id AND NOT t.is_blank ORDER BY t.id LIMIT 1) AS title,
       (SELECT count(*)::int FROM described_items t
         WHERE t.shop_id = o.shop_id AND t.order_id = o.id AND NOT t.is_blank) AS "items",
       to_char(greatest(o.updated_at, (SELECT max(t.updated_at) FROM order_items t
                                        WHERE t.shop_id = o.shop_id AND t.order_id = o.id),
                                      (SELECT max(t.updated_at) FROM shipments t
                                        WHERE t.shop_id = o.shop_id AND t.order_id = o.id)) AT TIME ZONE 'UTC',
               'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "latest_at",
       ARRAY(SELECT t.tracking_number FROM shipments t
              WHERE t.shop_id = o.shop_id AND t.order_id = o.id ORDER BY 1) AS "tracking_numbers"
  FROM orders o JOIN shops h ON h.id = o.shop_id
 WHERE o.shop_id = ANY($1::int[]) AND o.id = ANY($2::bigint[])`, ["shopIds","orderIds"]);

export interface FindLatestReportsParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface FindLatestReportsRow {
  at: string;
  tracking_number: string;
}

export const findLatestReports = new Statement<FindLatestReportsParams, FindLatestReportsRow>('entries.findLatestReports', `
-- When a carrier last reported each of the numbers.
SELECT tracking_number, to_char(max(received_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "at"
  FROM tracking_events WHERE tracking_number = ANY($1::text[]) GROUP BY 1`, ["trackingNumbers"]);

export interface ListNewestRepliesParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopIds: Readonly<numberArray>;
}

export interface ListNewestRepliesRow {
  id: string;
  order_id: string;
  warnings: number;
}

export const listNewestReplies = new Statement<ListNewestRepliesParams, ListNewestRepliesRow>('entries.listNewestReplies', `
-- The newest reply to review of each order.
SELECT DISTINCT ON (order_id) order_id::text AS "order_id", id::text AS "id", jsonb_array_length(warnings) AS "warnings"
  FROM replies_to_review WHERE shop_id = ANY($1::int[]) AND order_id = ANY($2::bigint[])
 ORDER BY order_id, created_at DESC, id DESC`, ["shopIds","orderIds"]);

export interface NameUsersParams {
  ids: Readonly<numberArray>;
}

export interface NameUsersRow {
  id: number;
  name: string;
}

export const nameUsers = new Statement<NameUsersParams, NameUsersRow>('entries.nameUsers', `
SELECT id, name FROM users WHERE id = ANY($1::int[])`, ["ids"]);

export interface FindNewProblemsParams {
  since: DateOrString;
  statuses: Readonly<tracking_statusArray>;
}

export interface FindNewProblemsRow {
  status: tracking_status;
  tracking_number: string;
}

export const findNewProblems = new Statement<FindNewProblemsParams, FindNewProblemsRow>('entries.findNewProblems', `
-- The numbers that have had one of the statuses since an instant.
SELECT tracking_number, status FROM tracking_numbers
 WHERE status = ANY($1::tracking_status[]) AND status_at >= $2::timestamptz`, ["statuses","since"]);

export interface ListOrdersOfNumbersParams {
  shopIds: Readonly<numberArray> | null;
  trackingNumbers: Readonly<stringArray>;
}

export interface ListOrdersOfNumbersRow {
  order_id: string;
  tracking_number: string;
}

export const listOrdersOfNumbers = new Statement<ListOrdersOfNumbersParams, ListOrdersOfNumbersRow>('entries.listOrdersOfNumbers', `
SELECT order_id::text AS "order_id", tracking_number FROM shipments
 WHERE tracking_number = ANY($1::text[]) AND ($2::int[] IS NULL OR shop_id = ANY($2))`, ["trackingNumbers","shopIds"]);
