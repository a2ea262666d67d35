/* @name tryLockChannel */
-- Returns no row if the channel is gone, switched off or no longer sends this kind, or if it is being changed or another server is
-- writing its messages.
SELECT id, shop_ids FROM notification_channels
 WHERE id = :id! AND active AND :kind!::notification_kind = ANY(kinds) FOR NO KEY UPDATE SKIP LOCKED;

/* @name addSummary */
INSERT INTO notifications (channel_id, kind, period, message, state)
VALUES (:channelId!, 'summary', :day!, :message!, :state!::notification_state)
ON CONFLICT (channel_id, kind, period) DO NOTHING;

/* @name hasSummary */
SELECT EXISTS (SELECT FROM notifications WHERE channel_id = :channelId! AND kind = 'summary' AND period = :day!) AS "exists!";

/* @name hasRecentAlert */
SELECT EXISTS (SELECT FROM notifications
                WHERE channel_id = :channelId! AND kind = :kind!::notification_kind
                  AND created_at > now() - interval '1 hour') AS "exists!";

/* @name addAlert */
INSERT INTO notifications (channel_id, kind, period, message)
VALUES (:channelId!, :kind!::notification_kind, now()::text, :message!);

/* @name addTestMessage */
-- The caller sends the test immediately. If the caller crashes, the test stays as it is: tests are never sent automatically.
INSERT INTO notifications (channel_id, kind, period, message, state, attempts, due_at)
VALUES (:channelId!, 'test', gen_random_uuid()::text, :message!, 'sending', 1, 'infinity')
RETURNING id::text AS "id!";

/* @name noticeEntries */
-- Compares what needs attention now with what the channel has been alerted about. Deletes entries that are gone. Unless
-- `quiet`, stores and returns entries that are new or came back after they were handled. `handledTimes` are `-infinity` for entries
-- that have never been handled.
WITH current_entries AS MATERIALIZED (
  SELECT * FROM unnest(:entries!::text[], :handledTimes!::timestamptz[]) WITH ORDINALITY AS c(entry, handled_at, position)
), deleted_entries AS (
  DELETE FROM notification_entries e
   WHERE e.channel_id = :channelId! AND e.kind = :kind!::notification_kind
     AND NOT EXISTS (SELECT FROM current_entries c WHERE c.entry = e.entry)
), fresh_entries AS MATERIALIZED (
  SELECT c.entry, c.position
    FROM current_entries c
    LEFT JOIN notification_entries e
      ON e.channel_id = :channelId! AND e.kind = :kind!::notification_kind AND e.entry = c.entry
   WHERE NOT :quiet!::boolean AND (e.entry IS NULL OR c.handled_at > e.noticed_at)
), noticed_entries AS (
  INSERT INTO notification_entries (channel_id, kind, entry)
  SELECT :channelId!, :kind!::notification_kind, entry FROM fresh_entries
  ON CONFLICT (channel_id, kind, entry) DO UPDATE SET noticed_at = now()
)
SELECT entry AS "entry!" FROM fresh_entries ORDER BY position;

/* @name describeOrders */
SELECT o.id::text AS "id!", o.receipt_id, s.name AS shop_name
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.shop_id = ANY(:shopIds!::int[]) AND o.id = ANY(:orderIds!::bigint[]);

/* @name listFailedImports */
-- Imports without a stored shop have no shop name.
SELECT i.id::text AS "entry!", i.file_name, s.name AS "shop_name?"
  FROM imports i LEFT JOIN shops s ON s.id = i.known_shop_id
 WHERE i.outcome IN ('rejected', 'failed') AND i.created_at >= :since!
   AND (:shopIds::int[] IS NULL OR i.shop_id = ANY(:shopIds))
 ORDER BY i.id DESC;

/* @name listExpiringKeys */
-- Leaves out keys that a newer key has replaced, which are meant to expire.
SELECT k.id::text AS "entry!", k.name, k.expires_at AS "expires_at!"
  FROM api_keys k
 WHERE k.revoked_at IS NULL AND k.expires_at > now() AND k.expires_at <= now() + make_interval(days => :days!)
   AND NOT EXISTS (SELECT FROM api_keys n WHERE n.rotated_from_id = k.id)
 ORDER BY k.expires_at, k.id;

/* @name listDeactivatedUsers */
SELECT id FROM users WHERE deactivated_at IS NOT NULL;

/* @name claimDueMessage */
-- Claims the message that has been due longest, leaving out the messages of inactive channels and of deactivated users. A message
-- that a server claimed but did not finish can be claimed again when its lease expires.
UPDATE notifications n
   SET state = 'sending', attempts = n.attempts + 1, due_at = now() + make_interval(secs => :leaseSeconds!)
  FROM notification_channels c
 WHERE n.id = (SELECT d.id FROM notifications d JOIN notification_channels a ON a.id = d.channel_id AND a.active
                WHERE d.state IN ('waiting', 'sending') AND d.due_at <= now()
                  AND (a.user_id IS NULL OR a.user_id <> ALL(:deactivatedUserIds!::int[]))
                ORDER BY d.due_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
   AND c.id = n.channel_id
RETURNING n.id::text AS "id!", n.kind AS "kind!", n.message AS "message!", n.attempts AS "attempts!", c.id AS "channel_id!";

/* @name countDueMessages */
-- Counts the messages that claimDueMessage can claim, under the same conditions, and returns how long the oldest has been due.
SELECT count(*)::int AS "waiting!", coalesce(extract(epoch FROM now() - min(d.due_at)), 0)::float8 AS "seconds!"
  FROM notifications d JOIN notification_channels a ON a.id = d.channel_id AND a.active
 WHERE d.state IN ('waiting', 'sending') AND d.due_at <= now()
   AND (a.user_id IS NULL OR a.user_id <> ALL(:deactivatedUserIds!::int[]));

/* @name markMessageSent */
UPDATE notifications SET state = 'sent', sent_at = now(), failure = NULL WHERE id = :id!::bigint;

/* @name deleteMessage */
-- Also forgets what alerts of its kind have reported, so that it is reported again once its reader may see it.
WITH deleted_message AS (
  DELETE FROM notifications WHERE id = :id!::bigint RETURNING channel_id, kind
)
DELETE FROM notification_entries e USING deleted_message m WHERE e.channel_id = m.channel_id AND e.kind = m.kind;

/* @name recordFailure */
-- If `retrySeconds` is null, the notification has failed and is not sent again.
UPDATE notifications
   SET state = CASE WHEN :retrySeconds::int IS NULL THEN 'failed' ELSE 'waiting' END::notification_state, failure = :failure!,
       due_at = now() + make_interval(secs => coalesce(:retrySeconds, 0))
 WHERE id = :id!::bigint;

/* @name deleteOldMessages */
DELETE FROM notifications WHERE created_at < now() - make_interval(days => :days!);

/* @name listRecentMessages */
SELECT n.id::text AS "id!", n.channel_id, c.name AS channel, c.vendor, n.kind,
       n.message AS "message!", n.state, n.failure, n.created_at, n.sent_at
  FROM notifications n JOIN notification_channels c ON c.id = n.channel_id
 WHERE (:userId::int IS NULL AND c.user_id IS NULL OR c.user_id = :userId)
 ORDER BY n.id DESC LIMIT :limit!;

/* @name lockChannel */
-- Waits while others change the channel or write its messages.
SELECT id FROM notification_channels WHERE id = :id! FOR NO KEY UPDATE;
