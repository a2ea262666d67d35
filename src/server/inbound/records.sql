/* @name listRecords */
-- A page of stored records, the newest first; a filter that is null is not applied. First finds the page's records by index,
-- without reading their bodies. Days are those of `timeZone`. `trackingNumber` matches numbers in the parts that were understood
-- and in those that were left out.
SELECT r.id::text AS "id!", r.kind, r.method,
       iso_instant(r.received_at) AS "received_at!",
       octet_length(r.body) AS "size!", k.name AS "api_key?", r.request_id, r.result->>'form' AS form,
       ARRAY(SELECT jsonb_array_elements_text(r.numbers) LIMIT 10) AS "tracking_numbers!",
       jsonb_array_length(r.numbers) AS "tracking_number_count!",
       (r.result->>'matched_orders')::int AS matched_orders, (r.result->>'updated_orders')::int AS updated_orders,
       (r.result->>'new_events')::int AS new_events, r.error, r.replays,
       r.replayed_at, r.processed_at
  FROM (
    SELECT i.*, n.numbers
      FROM inbound_records i
     CROSS JOIN LATERAL (SELECT coalesce(i.result->'tracking_numbers', '[]') AS numbers) n
     WHERE i.kind = :kind!
       AND (:from::date IS NULL OR i.received_at >= :from::timestamp AT TIME ZONE :timeZone!::text)
       AND (:to::date IS NULL OR i.received_at < (:to::date + 1)::timestamp AT TIME ZONE :timeZone!::text)
       AND (:isProcessed::boolean IS NULL OR (i.processed_at IS NOT NULL) = :isProcessed)
       AND (:hasNumbers::boolean IS NULL OR (jsonb_array_length(n.numbers) > 0) = :hasNumbers)
       AND (:trackingNumber::text IS NULL OR n.numbers @> to_jsonb(:trackingNumber::text)
            OR i.result->'left_out' @> jsonb_build_array(jsonb_build_object('tracking_number', :trackingNumber::text)))
       AND (:beforeAt::timestamptz IS NULL OR (i.received_at, i.id) < (:beforeAt, :beforeId::bigint))
     ORDER BY i.received_at DESC, i.id DESC LIMIT :limit!
  ) r LEFT JOIN api_keys k ON k.id = r.api_key_id
 ORDER BY r.received_at DESC, r.id DESC;

/* @name readRecord */
-- One record with its body. If `kind` is null, it may be of any kind.
SELECT r.id::text AS "id!", r.kind, r.method,
       r.received_at,
       octet_length(r.body) AS "size!", k.name AS "api_key?", r.request_id,
       r.result->>'form' AS form, ARRAY(SELECT jsonb_array_elements_text(n.numbers) LIMIT 10) AS "tracking_numbers!",
       jsonb_array_length(n.numbers) AS "tracking_number_count!",
       (r.result->>'matched_orders')::int AS matched_orders, (r.result->>'updated_orders')::int AS updated_orders,
       (r.result->>'new_events')::int AS new_events, r.error, r.replays,
       r.replayed_at, r.processed_at,
       r.query, r.headers, r.body, r.result
  FROM inbound_records r
 CROSS JOIN LATERAL (SELECT coalesce(r.result->'tracking_numbers', '[]') AS numbers) n
  LEFT JOIN api_keys k ON k.id = r.api_key_id
 WHERE r.id = :id! AND (:kind::inbound_kind IS NULL OR r.kind = :kind);
