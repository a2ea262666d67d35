// Written by `npm run sql` from carrier-queries.sql: change that file instead.
import { Statement } from '../../db/statement';

export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type DateOrString = Date | string;
export type NumberOrString = number | string;
export type stringArray = (string)[];
export type tracking_statusArray = (tracking_status)[];

export interface LockKnownNumbersParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface LockKnownNumbersRow {
  tracking_number: string;
}

export const lockKnownNumbers = new Statement<LockKnownNumbersParams, LockKnownNumbersRow>('carrier-queries.lockKnownNumbers', `
-- Those of the numbers that are stored; new ones are not added.
SELECT tracking_number FROM tracking_numbers WHERE tracking_number = ANY($1::text[])
 ORDER BY tracking_number FOR NO KEY UPDATE`, ["trackingNumbers"]);

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

export interface LockDueNumbersParams {
  days: number;
  finalStatuses: Readonly<tracking_statusArray>;
  limit: NumberOrString;
  pattern: string;
  queriedBefore: DateOrString;
}

export interface LockDueNumbersRow {
  tracking_number: string;
}

export const lockDueNumbers = new Statement<LockDueNumbersParams, LockDueNumbersRow>('carrier-queries.lockDueNumbers', `
-- The numbers that are due, those queried longest ago first. Skips rows locked by others and so never waits. \`days\` is how long
-- ago the last activity may be: the time of the status, else the newest order's sale, else the number's creation.
SELECT n.tracking_number FROM tracking_numbers n
 WHERE n.status <> ALL($1::tracking_status[]) AND (n.asked_at IS NULL OR n.asked_at < $2)
   AND n.tracking_number ~ $3
   AND coalesce(n.status_at, (SELECT max(o.sale_date)
                                FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
                               WHERE s.tracking_number = n.tracking_number), n.created_at)
       > now() - make_interval(days => $4)
 ORDER BY n.asked_at NULLS FIRST, n.tracking_number LIMIT $5 FOR UPDATE OF n SKIP LOCKED`, ["finalStatuses","queriedBefore","pattern","days","limit"]);

export interface ClaimNumbersParams {
  queriedBefore: DateOrString;
  trackingNumbers: Readonly<stringArray>;
}

export const claimNumbers = new Statement<ClaimNumbersParams, never>('carrier-queries.claimNumbers', `
-- So that no other server claims them too. The clock of the server that set \`queriedBefore\` may be ahead of the database's.
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
