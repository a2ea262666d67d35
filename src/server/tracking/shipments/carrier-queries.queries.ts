// Written by `npm run sql` from carrier-queries.sql: change that file instead.
import { Statement } from '../../db/statement';

export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type DateOrString = Date | string;
export type NumberOrString = number | string;
export type stringArray = (string)[];
export type tracking_statusArray = (tracking_status)[];

export interface LockKnownNumberParams {
  trackingNumber: string;
}

export interface LockKnownNumberRow {
  tracking_number: string;
}

export const lockKnownNumber = new Statement<LockKnownNumberParams, LockKnownNumberRow>('carrier-queries.lockKnownNumber', `
-- Returns no row if the number is not stored. Does not add new numbers.
SELECT tracking_number FROM tracking_numbers WHERE tracking_number = $1 FOR NO KEY UPDATE`, ["trackingNumber"]);

export interface MarkQueriedParams {
  registered: Readonly<stringArray>;
  trackingNumbers: Readonly<stringArray>;
}

export const markQueried = new Statement<MarkQueriedParams, never>('carrier-queries.markQueried', `
UPDATE tracking_numbers n
   SET asked_at = greatest(n.asked_at, clock.now),
       registered_at = CASE WHEN n.tracking_number = ANY($1::text[]) THEN coalesce(n.registered_at, clock.now)
                            ELSE n.registered_at END
  FROM (SELECT now() AS now) clock
 WHERE n.tracking_number = ANY($2::text[])`, ["registered","trackingNumbers"]);

export interface ListDueNumbersParams {
  cursorAt: DateOrString | null;
  cursorNumber: string | null;
  days: number;
  finalStatuses: Readonly<tracking_statusArray>;
  limit: NumberOrString;
  pattern: string;
  queriedBefore: DateOrString;
}

export interface ListDueNumbersRow {
  asked_at: string | null;
  has_status: boolean;
  is_new: boolean;
  tracking_number: string;
}

export const listDueNumbers = new Statement<ListDueNumbersParams, ListDueNumbersRow>('carrier-queries.listDueNumbers', `
-- Numbers that have not been queried since \`queriedBefore\` and had activity in the last \`days\`, least recently queried first,
-- after a cursor. The last activity is the time of the status. Without a status (\`has_status\` is false), it is the sale of the
-- newest order, otherwise the creation of the number.
SELECT tracking_number, to_char(asked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS asked_at,
       status_at IS NOT NULL AS "has_status", created_at > now() - make_interval(days => $1) AS "is_new"
  FROM tracking_numbers
 WHERE status <> ALL($2::tracking_status[]) AND (asked_at IS NULL OR asked_at < $3::timestamptz)
   AND tracking_number ~ $4 AND (status_at IS NULL OR status_at > now() - make_interval(days => $1))
   AND ($5::text IS NULL
        OR CASE WHEN $6::timestamptz IS NULL THEN asked_at IS NOT NULL OR tracking_number > $5
                ELSE (asked_at, tracking_number) > ($6, $5) END)
 ORDER BY asked_at NULLS FIRST, tracking_number LIMIT $7`, ["days","finalStatuses","queriedBefore","pattern","cursorNumber","cursorAt","limit"]);

export interface ListSalesParams {
  days: number;
  trackingNumbers: Readonly<stringArray>;
}

export interface ListSalesRow {
  is_recent: boolean;
  tracking_number: string;
}

export const listSales = new Statement<ListSalesParams, ListSalesRow>('carrier-queries.listSales', `
-- Returns whether the newest order of each number, across all shops, was sold in the last \`days\`. Numbers without a sale are
-- left out.
SELECT s.tracking_number, max(o.sale_date) > now() - make_interval(days => $1) AS "is_recent"
  FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 WHERE s.tracking_number = ANY($2::text[]) AND o.sale_date IS NOT NULL
 GROUP BY s.tracking_number`, ["days","trackingNumbers"]);

export interface LockDueNumberParams {
  finalStatuses: Readonly<tracking_statusArray>;
  queriedBefore: DateOrString;
  trackingNumber: string;
}

export interface LockDueNumberRow {
  tracking_number: string;
}

export const lockDueNumber = new Statement<LockDueNumberParams, LockDueNumberRow>('carrier-queries.lockDueNumber', `
-- Returns no row if another server is working on the number or has queried it in the meantime. Never waits.
SELECT tracking_number FROM tracking_numbers
 WHERE tracking_number = $1 AND status <> ALL($2::tracking_status[])
   AND (asked_at IS NULL OR asked_at < $3::timestamptz)
   FOR UPDATE SKIP LOCKED`, ["trackingNumber","finalStatuses","queriedBefore"]);

export interface ClaimNumbersParams {
  queriedBefore: DateOrString;
  trackingNumbers: Readonly<stringArray>;
}

export const claimNumbers = new Statement<ClaimNumbersParams, never>('carrier-queries.claimNumbers', `
-- Keeps other servers from claiming the numbers too. The clock of the server that set \`queriedBefore\` may be ahead of the
-- database's.
UPDATE tracking_numbers SET asked_at = greatest(now(), $1::timestamptz)
 WHERE tracking_number = ANY($2::text[])`, ["queriedBefore","trackingNumbers"]);

export interface ReadStatusesParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface ReadStatusesRow {
  status: tracking_status;
  sub_status: string | null;
  tracking_number: string;
}

export const readStatuses = new Statement<ReadStatusesParams, ReadStatusesRow>('carrier-queries.readStatuses', `
SELECT tracking_number, status, sub_status FROM tracking_numbers WHERE tracking_number = ANY($1::text[])`, ["trackingNumbers"]);
