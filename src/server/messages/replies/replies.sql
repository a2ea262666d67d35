/* @name lockShopOfReply */
-- Locks the shop of a reply: the one with the stored order or, if there is none, the one that has or had the name in the
-- request. The shop's deletion waits until the reply is stored.
SELECT s.deleting_at IS NOT NULL AS "deleting!" FROM shops s
 WHERE s.id = :shopId::int
    OR :shopId::int IS NULL
       AND (s.name = :shopName!
            OR s.id IN (SELECT f.shop_id FROM shop_former_names f WHERE f.name = :shopName!))
   FOR SHARE OF s;

/* @name listReplies */
-- A page of the log, newest first. Null filters are not applied. Days are in `timeZone`. Order numbers are stored as they were
-- sent, so they are normalised here as normaliseOrderNumber does; `orderNumber` is already normalised. An index has the same
-- expression. The spaces are listed one by one, because which of them \s matches depends on the database's locale.
SELECT r.id::text AS "id!", iso_instant(r.created_at) AS "created_at!",
       r.shop_name, r.order_number, r.buyer_name, r.outcome, r.error, r.model, v.version AS "prompt_version?",
       jsonb_array_length(r.warnings) AS "warning_count!", r.input_tokens, r.output_tokens, r.duration_ms,
       k.name AS "api_key?", left(r.reply, 200) AS excerpt, r.kind, r.requested_by, r.order_id::text AS order_id, r.sent_by,
       r.sent_at
  FROM (
    SELECT a.*
      FROM replies a
     WHERE (:shopNames::text[] IS NULL OR a.shop_name = ANY(:shopNames))
       AND (:outcome::reply_outcome IS NULL OR a.outcome = :outcome)
       AND (:orderNumber::text IS NULL OR regexp_replace(regexp_replace(regexp_replace(a.order_number,
              '[\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]+', '', 'g'),
              '^#+', ''), '^(\d+)\.0+$', '\1') = :orderNumber)
       AND (:warned::boolean IS NULL OR (jsonb_array_length(a.warnings) > 0) = :warned)
       AND (:kind::reply_kind IS NULL OR a.kind = :kind)
       AND (:sent::boolean IS NULL OR (a.sent_at IS NOT NULL) = :sent)
       AND (:from::date IS NULL OR a.created_at >= :from::timestamp AT TIME ZONE :timeZone!::text)
       AND (:to::date IS NULL OR a.created_at < (:to::date + 1)::timestamp AT TIME ZONE :timeZone!::text)
       AND (:beforeAt::timestamptz IS NULL OR (a.created_at, a.id) < (:beforeAt, :beforeId::bigint))
     ORDER BY a.created_at DESC, a.id DESC LIMIT :limit!
  ) r
  LEFT JOIN prompt_versions v ON v.id = r.prompt_version_id
  LEFT JOIN api_keys k ON k.id = r.api_key_id
 ORDER BY r.created_at DESC, r.id DESC;

/* @name readReply */
-- One reply with its conversation and the prompt it was written with.
SELECT r.id::text AS "id!", r.created_at,
       r.shop_name, r.order_number, r.buyer_name, r.outcome, r.error, r.model, v.version AS "prompt_version?",
       jsonb_array_length(r.warnings) AS "warning_count!", r.input_tokens, r.output_tokens, r.duration_ms,
       k.name AS "api_key?", r.kind, r.requested_by, r.order_id::text AS order_id, r.sent_by,
       r.sent_at, r.sent_text,
       r.reply, r.warnings, r.messages, r.extra, v.text AS "prompt_text?", r.prompt_version_id, r.request_id
  FROM replies r
  LEFT JOIN prompt_versions v ON v.id = r.prompt_version_id
  LEFT JOIN api_keys k ON k.id = r.api_key_id
 WHERE r.id = :id!;
