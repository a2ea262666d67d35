/*
 * If an import sends no heartbeat for a minute, its process is assumed to have died: the draft is shown as failed and can be
 * imported again.
 */

/* @name createDraft */
INSERT INTO import_drafts (shop_id, id, user_id, file_name, content_hash, sheet, total)
VALUES (:shopId!, :id!, :userId!, :fileName!, :contentHash!, :sheet!, :total!);

/* @name listDrafts */
-- The latest 200 drafts of a user, newest first, or only one of the drafts.
SELECT d.id, d.shop_id AS account_id, s.name AS account, d.file_name,
       CASE WHEN run.has_died THEN 'failed' ELSE d.state END AS "state!", d.fingerprint, d.done, d.total, d.step,
       CASE WHEN run.has_died THEN '{"reason": "import.interrupted", "values": {}}' ELSE d.failure END AS failure,
       d.import_id::text, d.created_at, d.updated_at
  FROM import_drafts d JOIN shops s ON s.id = d.shop_id
 CROSS JOIN LATERAL (SELECT d.state = 'running' AND d.updated_at < now() - interval '60 seconds' AS has_died) run
 WHERE d.user_id = :userId! AND (:id::uuid IS NULL OR d.id = :id)
 ORDER BY d.created_at DESC, d.id LIMIT 200;

/* @name readSheet */
SELECT sheet, content_hash, encode(sha256(sheet), 'hex') AS "version!"
  FROM import_drafts WHERE shop_id = :shopId! AND id = :id!;

/* @name replaceSheet */
-- An earlier preview is no longer valid.
UPDATE import_drafts SET sheet = :sheet!, fingerprint = NULL, state = 'ready', failure = NULL, updated_at = now()
 WHERE shop_id = :shopId! AND id = :id! AND encode(sha256(sheet), 'hex') = :version!
   AND (state IN ('ready', 'failed') OR state = 'running' AND updated_at < now() - interval '60 seconds')
RETURNING id;

/* @name saveFingerprint */
UPDATE import_drafts SET fingerprint = :fingerprint!
 WHERE shop_id = :shopId! AND id = :id! AND encode(sha256(sheet), 'hex') = :version!
   AND (state IN ('ready', 'failed') OR state = 'running' AND updated_at < now() - interval '60 seconds');

/* @name discardDraft */
DELETE FROM import_drafts
 WHERE shop_id = :shopId! AND id = :id!
   AND (state <> 'running' OR updated_at < now() - interval '60 seconds')
RETURNING id;

/* @name claimDraft */
-- Claims the draft for one run. A run that died with its process may be taken over.
UPDATE import_drafts SET state = 'running', done = 0, step = 'reading', failure = NULL, updated_at = now()
 WHERE shop_id = :shopId! AND id = :id!
   AND (state IN ('ready', 'failed') OR state = 'running' AND updated_at < now() - interval '60 seconds')
RETURNING id;

/* @name setTotal */
UPDATE import_drafts SET total = :total! WHERE shop_id = :shopId! AND id = :id!;

/* @name writeProgress */
UPDATE import_drafts SET done = least(:done!, total), step = :step!, updated_at = now()
 WHERE shop_id = :shopId! AND id = :id! AND state = 'running';

/* @name completeDraft */
-- Part of the import's transaction, so that the draft is done if and only if its orders are stored.
UPDATE import_drafts SET state = 'done', done = total, step = NULL, import_id = :importId!, updated_at = now()
 WHERE shop_id = :shopId! AND id = :id! AND state = 'running'
RETURNING id;

/* @name releaseDraft */
-- After a refusal the preview is no longer valid; after a failure it still is.
UPDATE import_drafts
   SET state = :state!::text, step = NULL, failure = :failure!, done = 0, updated_at = now(),
       fingerprint = CASE WHEN :state!::text = 'ready' THEN NULL ELSE fingerprint END
 WHERE shop_id = :shopId! AND id = :id! AND state = 'running';

/* @name deleteOldDrafts */
-- Across all shops: drafts that have not changed for a week.
DELETE FROM import_drafts WHERE updated_at < now() - interval '7 days';
