// Written by `npm run sql` from notifications.sql: change that file instead.
import { Statement } from '../db/statement';

export type notification_kind = 'delivery_failed' | 'exception' | 'import_failed' | 'key_expiring' | 'late' | 'not_scanned' | 'statistics_missing' | 'summary' | 'test';
export type notification_state = 'failed' | 'sending' | 'sent' | 'skipped' | 'waiting';
export type DateOrString = Date | string;
export type DateOrStringArray = (DateOrString)[];
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type numberArray = (number)[];
export type stringArray = (string)[];

export interface LockChannelParams {
  id: number;
}

export interface LockChannelRow {
  id: number;
}

export const lockChannel = new Statement<LockChannelParams, LockChannelRow>('notifications.lockChannel', `
-- Returns no row if another server is writing messages for this channel or the channel was switched off.
SELECT id FROM notification_channels WHERE id = $1 AND active FOR NO KEY UPDATE SKIP LOCKED`, ["id"]);

export interface AddSummaryParams {
  channelId: number;
  day: string;
  message: Json | Uint8Array;
  state: notification_state;
}

export const addSummary = new Statement<AddSummaryParams, never>('notifications.addSummary', `
INSERT INTO notifications (channel_id, kind, period, message, state)
VALUES ($1, 'summary', $2, $3, $4::notification_state)
ON CONFLICT (channel_id, kind, period) DO NOTHING`, ["channelId","day","message","state"]);

export interface HasSummaryParams {
  channelId: number;
  day: string;
}

export interface HasSummaryRow {
  made: boolean;
}

export const hasSummary = new Statement<HasSummaryParams, HasSummaryRow>('notifications.hasSummary', `
SELECT EXISTS (SELECT FROM notifications WHERE channel_id = $1 AND kind = 'summary' AND period = $2) AS "made"`, ["channelId","day"]);

export interface HasRecentParams {
  channelId: number;
  kind: notification_kind;
}

export interface HasRecentRow {
  recent: boolean;
}

export const hasRecent = new Statement<HasRecentParams, HasRecentRow>('notifications.hasRecent', `
SELECT EXISTS (SELECT FROM notifications
                WHERE channel_id = $1 AND kind = $2::notification_kind AND created_at > now() - interval '1 hour') AS "recent"`, ["channelId","kind"]);

export interface AddAlertParams {
  channelId: number;
  kind: notification_kind;
  message: Json | Uint8Array;
}

export const addAlert = new Statement<AddAlertParams, never>('notifications.addAlert', `
INSERT INTO notifications (channel_id, kind, period, message)
VALUES ($1, $2::notification_kind, now()::text, $3)`, ["channelId","kind","message"]);

export interface AddTestParams {
  channelId: number;
  message: Json | Uint8Array;
}

export interface AddTestRow {
  id: string;
}

export const addTest = new Statement<AddTestParams, AddTestRow>('notifications.addTest', `
-- The caller sends the test immediately. If it crashes, the test stays as it is, because tests are never sent automatically.
INSERT INTO notifications (channel_id, kind, period, message, state, attempts, due_at)
VALUES ($1, 'test', gen_random_uuid()::text, $2, 'sending', 1, 'infinity')
RETURNING id::text AS "id"`, ["channelId","message"]);

export interface NoticeEntriesParams {
  channelId: number;
  entries: Readonly<stringArray>;
  handledAts: Readonly<DateOrStringArray>;
  kind: notification_kind;
  quiet: boolean;
}

export interface NoticeEntriesRow {
  entry: string;
}

export const noticeEntries = new Statement<NoticeEntriesParams, NoticeEntriesRow>('notifications.noticeEntries', `
-- Compares what needs attention now with what the channel has been alerted about. Deletes entries that are gone. Unless
-- \`quiet\`, stores and returns entries that are new or came back after they were handled.
WITH current AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS c(entry, handled_at, position)
), gone AS (
  DELETE FROM notification_entries e
   WHERE e.channel_id = $3 AND e.kind = $4::notification_kind
     AND NOT EXISTS (SELECT FROM current c WHERE c.entry = e.entry)
), fresh AS MATERIALIZED (
  SELECT c.entry, c.position
    FROM current c
    LEFT JOIN notification_entries e
      ON e.channel_id = $3 AND e.kind = $4::notification_kind AND e.entry = c.entry
   WHERE NOT $5::boolean AND (e.entry IS NULL OR c.handled_at > e.noticed_at)
), noticed AS (
  INSERT INTO notification_entries (channel_id, kind, entry)
  SELECT $3, $4::notification_kind, entry FROM fresh
  ON CONFLICT (channel_id, kind, entry) DO UPDATE SET noticed_at = now()
)
SELECT entry AS "entry" FROM fresh ORDER BY position`, ["entries","handledAts","channelId","kind","quiet"]);

export interface DescribeOrdersParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopIds: Readonly<numberArray>;
}

export interface DescribeOrdersRow {
  id: string;
  receipt_id: string;
  shop: string;
}

export const describeOrders = new Statement<DescribeOrdersParams, DescribeOrdersRow>('notifications.describeOrders', `
SELECT o.id::text AS "id", o.receipt_id, s.name AS shop
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.shop_id = ANY($1::int[]) AND o.id = ANY($2::bigint[])`, ["shopIds","orderIds"]);

export interface ListFailedImportsParams {
  days: number;
  shopIds: Readonly<numberArray> | null;
}

export interface ListFailedImportsRow {
  entry: string;
  file_name: string | null;
  shop: string | null;
}

export const listFailedImports = new Statement<ListFailedImportsParams, ListFailedImportsRow>('notifications.listFailedImports', `
-- Imports without a stored shop have no shop name.
SELECT i.id::text AS "entry", i.file_name, s.name AS "shop"
  FROM imports i LEFT JOIN shops s ON s.id = i.known_shop_id
 WHERE i.outcome IN ('rejected', 'failed') AND i.created_at > now() - make_interval(days => $1)
   AND ($2::int[] IS NULL OR i.shop_id = ANY($2))
 ORDER BY i.id DESC`, ["days","shopIds"]);

export interface ListExpiringKeysParams {
  days: number;
}

export interface ListExpiringKeysRow {
  entry: string;
  expires_at: Date;
  name: string;
}

export const listExpiringKeys = new Statement<ListExpiringKeysParams, ListExpiringKeysRow>('notifications.listExpiringKeys', `
-- Leaves out keys that a newer key has replaced, which are meant to expire.
SELECT k.id::text AS "entry", k.name, k.expires_at AS "expires_at"
  FROM api_keys k
 WHERE k.revoked_at IS NULL AND k.expires_at > now() AND k.expires_at <= now() + make_interval(days => $1)
   AND NOT EXISTS (SELECT FROM api_keys n WHERE n.rotated_from_id = k.id)
 ORDER BY k.expires_at, k.id`, ["days"]);

export interface ListDeactivatedRow {
  id: number;
}

export const listDeactivated = new Statement<undefined, ListDeactivatedRow>('notifications.listDeactivated', `
SELECT id FROM users WHERE deactivated_at IS NOT NULL`);

export interface ClaimDueParams {
  deactivated: Readonly<numberArray>;
  leaseSeconds: number;
}

export interface ClaimDueRow {
  attempts: number;
  channel_id: number;
  id: string;
  kind: notification_kind;
  message: Json;
}

export const claimDue = new Statement<ClaimDueParams, ClaimDueRow>('notifications.claimDue', `
-- Claims the message that has been due longest, unless its user is \`deactivated\`. A message that a server claimed but did not
-- finish can be claimed again when its lease expires.
UPDATE notifications n
   SET state = 'sending', attempts = n.attempts + 1, due_at = now() + make_interval(secs => $1)
  FROM notification_channels c
 WHERE n.id = (SELECT d.id FROM notifications d JOIN notification_channels a ON a.id = d.channel_id AND a.active
                WHERE d.state IN ('waiting', 'sending') AND d.due_at <= now()
                  AND (a.user_id IS NULL OR a.user_id <> ALL($2::int[]))
                ORDER BY d.due_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
   AND c.id = n.channel_id
RETURNING n.id::text AS "id", n.kind AS "kind", n.message AS "message", n.attempts AS "attempts", c.id AS "channel_id"`, ["leaseSeconds","deactivated"]);

export interface RecordSentParams {
  id: NumberOrString;
}

export const recordSent = new Statement<RecordSentParams, never>('notifications.recordSent', `
UPDATE notifications SET state = 'sent', sent_at = now(), failure = NULL WHERE id = $1::bigint`, ["id"]);

export interface RecordFailureParams {
  failure: Json | Uint8Array;
  id: NumberOrString;
  retrySeconds: number | null;
}

export const recordFailure = new Statement<RecordFailureParams, never>('notifications.recordFailure', `
-- If \`retrySeconds\` is null, the notification has failed and is not sent again.
UPDATE notifications
   SET state = CASE WHEN $1::int IS NULL THEN 'failed' ELSE 'waiting' END::notification_state, failure = $2,
       due_at = now() + make_interval(secs => coalesce($1, 0))
 WHERE id = $3::bigint`, ["retrySeconds","failure","id"]);

export interface DeleteOldParams {
  days: number;
}

export const deleteOld = new Statement<DeleteOldParams, never>('notifications.deleteOld', `
DELETE FROM notifications WHERE created_at < now() - make_interval(days => $1)`, ["days"]);

export interface ListRecentParams {
  limit: NumberOrString;
  userId: number | null;
}

export interface ListRecentRow {
  channel: string;
  channel_id: number;
  created_at: Date;
  failure: Json | null;
  id: string;
  kind: string;
  message: Json;
  sent_at: Date | null;
  state: string;
  vendor: string;
}

export const listRecent = new Statement<ListRecentParams, ListRecentRow>('notifications.listRecent', `
SELECT n.id::text AS "id", n.channel_id, c.name AS channel, c.vendor::text AS "vendor", n.kind::text AS "kind",
       n.message AS "message", n.state::text AS "state", n.failure AS failure, n.created_at, n.sent_at
  FROM notifications n JOIN notification_channels c ON c.id = n.channel_id
 WHERE ($1::int IS NULL AND c.user_id IS NULL OR c.user_id = $1)
 ORDER BY n.id DESC LIMIT $2`, ["userId","limit"]);

export interface LockOwnChannelParams {
  id: number;
}

export interface LockOwnChannelRow {
  id: number;
}

export const lockOwnChannel = new Statement<LockOwnChannelParams, LockOwnChannelRow>('notifications.lockOwnChannel', `
-- Waits while others change the channel or write its messages.
SELECT id FROM notification_channels WHERE id = $1 FOR NO KEY UPDATE`, ["id"]);
