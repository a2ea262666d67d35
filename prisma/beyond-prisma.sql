-- What schema.prisma cannot express. `npm run db:migration -- init` puts the generated tables before it.

-- Statistics. The size of `extra`, the members that have no column, is limited here, because each call adds members to the stored
-- ones: concurrent calls could exceed the limit together.
ALTER TABLE "shop_daily_statistics"
    ADD CONSTRAINT "shop_daily_statistics_shop_id_not_blank" CHECK (btrim("shop_id") <> ''),
    ADD CONSTRAINT "shop_daily_statistics_counts" CHECK (
        least("ad_impressions", "ad_clicks", "ad_orders", "total_orders", "total_views", "total_visits") >= 0
        AND greatest("ad_impressions", "ad_clicks", "ad_orders", "total_orders", "total_views", "total_visits") <= 9007199254740991),
    ADD CONSTRAINT "shop_daily_statistics_amounts" CHECK (
        least("ad_spend", "ad_revenue", "total_revenue") >= 0
        AND greatest("ad_spend", "ad_revenue", "total_revenue") <= 1000000000000),
    ADD CONSTRAINT "shop_daily_statistics_rates" CHECK (
        least("ad_click_rate", "conversion_rate", "ad_revenue_ratio") >= 0
        AND greatest("ad_click_rate", "conversion_rate", "ad_revenue_ratio") <= 100),
    ADD CONSTRAINT "shop_daily_statistics_revision" CHECK ("revision" > 0),
    ADD CONSTRAINT "shop_daily_statistics_extra_object" CHECK (jsonb_typeof("extra") = 'object'),
    ADD CONSTRAINT "shop_daily_statistics_extra_size" CHECK (octet_length("extra"::text) <= 65536);
ALTER TABLE "product_daily_statistics"
    ADD CONSTRAINT "product_daily_statistics_shop_id_not_blank" CHECK (btrim("shop_id") <> ''),
    ADD CONSTRAINT "product_daily_statistics_counts" CHECK (
        least("listing_id", "visits", "total_views", "orders", "impression_count", "click_count", "conversions") >= 0
        AND greatest("listing_id", "visits", "total_views", "orders", "impression_count", "click_count", "conversions")
            <= 9007199254740991),
    ADD CONSTRAINT "product_daily_statistics_amounts" CHECK (
        least("revenue", "spent_total", "ad_revenue", "roas") >= 0
        AND greatest("revenue", "spent_total", "ad_revenue", "roas") <= 1000000000000),
    ADD CONSTRAINT "product_daily_statistics_rates" CHECK ("click_rate" BETWEEN 0 AND 100),
    ADD CONSTRAINT "product_daily_statistics_revision" CHECK ("revision" > 0),
    ADD CONSTRAINT "product_daily_statistics_extra_object" CHECK (jsonb_typeof("extra") = 'object'),
    ADD CONSTRAINT "product_daily_statistics_extra_size" CHECK (octet_length("extra"::text) <= 65536);
ALTER TABLE "statistic_restatements"
    ADD CONSTRAINT "statistic_restatements_listing" CHECK (("kind" = 'product') = ("listing_id" IS NOT NULL)),
    ADD CONSTRAINT "statistic_restatements_source" CHECK ("api_key_id" IS NULL OR "import_id" IS NULL),
    ADD CONSTRAINT "statistic_restatements_changed" CHECK ("before" <> "after");
-- Most replaced figures are those of a day that is not over yet. The page "Changed days" leaves these out.
CREATE INDEX "statistic_restatements_late_idx" ON "statistic_restatements"("id" DESC) WHERE "days_late" IS NULL OR "days_late" > 0;

-- Tracking. Numbers are stored as normaliseTrackingNumber returns them. The constraint only rules out a to z and the usual blanks.
ALTER TABLE "tracking_numbers"
    ADD CONSTRAINT "tracking_numbers_normalised" CHECK (
        "tracking_number" <> '' AND "tracking_number" !~ '[a-z \t\r\n]');
ALTER TABLE "tracking_events"
    ADD CONSTRAINT "tracking_events_identity_length" CHECK (octet_length("identity") = 32);
-- For the statuses without a meaning and the events that a meaning applies to: nearly all events have no status of the provider's own.
-- Such a status can be longer than a key of an index.
CREATE INDEX "tracking_events_provider_status_idx" ON "tracking_events"("tracking_number") WHERE "provider_status" IS NOT NULL;
ALTER TABLE "status_mappings"
    ADD CONSTRAINT "status_mappings_source_known" CHECK ("source" IN ('17track', 'yanwen', 'plain')),
    ADD CONSTRAINT "status_mappings_folded" CHECK ("provider_status" = lower(btrim("provider_status")));
-- For the list of shipments, which is ordered by how long each has had its status.
CREATE INDEX "tracking_numbers_since_idx" ON "tracking_numbers"((coalesce("status_at", "created_at")) DESC, "tracking_number" DESC);
-- Finds the deliveries in a range of days.
CREATE INDEX "tracking_numbers_delivered_idx" ON "tracking_numbers"("status_at") WHERE "status" = 'delivered';
-- Finds the numbers that are due for a carrier query, which are few of all. Numbers that were never queried come first.
CREATE INDEX "tracking_numbers_due_idx" ON "tracking_numbers"((coalesce("asked_at", '-infinity')), "tracking_number")
    WHERE "status" <> ALL ('{delivered,expired}');

-- Received requests.
ALTER TABLE "inbound_records"
    ADD CONSTRAINT "inbound_records_replayed" CHECK ("replays" >= 0 AND ("replays" > 0) = ("replayed_at" IS NOT NULL));
-- For the filters of the page of callbacks, most of which have been processed and name tracking numbers.
CREATE INDEX "inbound_records_unprocessed_idx" ON "inbound_records"("kind", "received_at" DESC, "id" DESC) WHERE "processed_at" IS NULL;
CREATE INDEX "inbound_records_without_numbers_idx" ON "inbound_records"("kind", "received_at" DESC, "id" DESC)
    WHERE "kind" = 'tracks' AND NOT (jsonb_array_length(coalesce("result"->'tracking_numbers', '[]')) > 0);
CREATE INDEX "inbound_records_tracking_numbers_idx" ON "inbound_records"
    USING gin ((coalesce("result"->'tracking_numbers', '[]')) jsonb_path_ops);
CREATE INDEX "inbound_records_left_out_idx" ON "inbound_records" USING gin (("result"->'left_out') jsonb_path_ops);

-- Users, keys and sessions. The 32-byte hashes are SHA-256.
ALTER TABLE "users"
    ADD CONSTRAINT "users_email_lower_case" CHECK ("email" = lower("email") AND "email" <> ''),
    ADD CONSTRAINT "users_second_factor" CHECK (
        "totp_secret" IS NOT NULL OR ("totp_enabled_at" IS NULL AND "totp_last_step" IS NULL));
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_method_known" CHECK ("method" IN ('password', 'oidc'));
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_hash_length" CHECK (octet_length("hash") = 32);
ALTER TABLE "personal_tokens"
    ADD CONSTRAINT "personal_tokens_hash_length" CHECK (octet_length("hash") = 32),
    ADD CONSTRAINT "personal_tokens_last_four_length" CHECK (char_length("last_four") = 4);
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_secret_length" CHECK (octet_length("secret_hash") = 32);
ALTER TABLE "oauth_records" ADD CONSTRAINT "oauth_records_id_length" CHECK (octet_length("id_hash") = 32);
ALTER TABLE "api_keys"
    ADD CONSTRAINT "api_keys_hash_length" CHECK (octet_length("hash") = 32),
    ADD CONSTRAINT "api_keys_last_four_length" CHECK (char_length("last_four") = 4),
    ADD CONSTRAINT "api_keys_reply_tokens" CHECK ("reply_tokens_per_day" >= 0),
    ADD CONSTRAINT "api_keys_rotated_from_another" CHECK ("rotated_from_id" <> "id");
ALTER TABLE "api_key_calls"
    ADD CONSTRAINT "api_key_calls_status" CHECK ("status" BETWEEN 100 AND 599),
    ADD CONSTRAINT "api_key_calls_duration" CHECK ("duration_ms" >= 0);
ALTER TABLE "idempotent_requests"
    ADD CONSTRAINT "idempotent_requests_hash_length" CHECK (octet_length("body_hash") = 32),
    ADD CONSTRAINT "idempotent_requests_answer" CHECK (("status" IS NULL) = ("body" IS NULL));
ALTER TABLE "reply_token_days" ADD CONSTRAINT "reply_token_days_counts" CHECK ("used" >= 0 AND "reserved" >= 0);
ALTER TABLE "sign_in_turns" ADD CONSTRAINT "sign_in_turns_tries" CHECK ("tries" >= 0);

-- Prompts and replies. A prompt belongs to a shop or waits for a shop with its name, never both. At most one version is
-- published.
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_shop_or_name" CHECK (("shop_id" IS NULL) <> ("shop_name" IS NULL));
ALTER TABLE "prompt_versions"
    ADD CONSTRAINT "prompt_versions_number" CHECK ("version" > 0),
    ADD CONSTRAINT "prompt_versions_published_at" CHECK (("state" = 'draft') = ("published_at" IS NULL));
CREATE UNIQUE INDEX "prompt_versions_one_published" ON "prompt_versions"("prompt_id") WHERE "state" = 'published';
ALTER TABLE "replies"
    ADD CONSTRAINT "replies_outcome" CHECK (
        ("outcome" = 'answered') = ("reply" IS NOT NULL) AND ("outcome" = 'answered') = ("error" IS NULL)),
    ADD CONSTRAINT "replies_counts" CHECK (least("input_tokens", "output_tokens", "duration_ms") >= 0),
    ADD CONSTRAINT "replies_extra_object" CHECK (jsonb_typeof("extra") = 'object'),
    ADD CONSTRAINT "replies_requested_by" CHECK (("kind" = 'request') = ("requested_by" IS NULL)),
    ADD CONSTRAINT "replies_order" CHECK (
        num_nonnulls("shop_id", "order_id") IN (0, 2) AND ("order_id" IS NOT NULL OR "kind" IN ('request', 'trial'))),
    ADD CONSTRAINT "replies_sent" CHECK (
        num_nonnulls("sent_text", "sent_at", "sent_by") IN (0, 3)
        AND ("sent_at" IS NULL OR "outcome" = 'answered' AND "kind" IN ('draft', 'request', 'handwritten'))
        AND ("sent_at" IS NOT NULL OR "kind" <> 'handwritten')),
    ADD CONSTRAINT "replies_language" CHECK (
        ("language" IS NULL) = ("kind" <> 'translation') AND "language" IN ('en', 'zh', 'buyer')),
    ADD CONSTRAINT "replies_sent_text" CHECK (length("sent_text") BETWEEN 1 AND 20000);
-- For the replies about an order number. The expression is that of listReplies (src/server/messages/replies/replies.sql).
CREATE INDEX "replies_order_number_idx" ON "replies"((regexp_replace(regexp_replace(regexp_replace("order_number",
        '[\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]+', '', 'g'), '^#+', ''), '^(\d+)\.0+$', '\1')),
    "created_at" DESC, "id" DESC);
-- For the queue "Replies to review", which has to know whether a later reply was sent.
CREATE INDEX "replies_sent_idx" ON "replies"("shop_id", "order_id", "sent_at") WHERE "sent_at" IS NOT NULL;

-- The audit log is append-only.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE INDEX "audit_log_removed_shipments_idx" ON "audit_log"(("before"->>'import_id')) WHERE "action" = 'order.remove_tracking_number';

CREATE INDEX "audit_log_names_idx" ON "audit_log"("record_type", "record_id", "id")
    WHERE COALESCE("before"->>'name', "after"->>'name', "before"->>'code', "after"->>'code') IS NOT NULL;

CREATE TRIGGER audit_log_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Amounts are grouped by currency, so any other text would count as another currency.
ALTER TABLE "shops" ADD CONSTRAINT "shops_currency_shape" CHECK ("currency" ~ '^[A-Z]{3}$');

-- Two categories whose names differ only in letter case look like one.
CREATE UNIQUE INDEX "categories_name_in_any_case" ON "categories"(lower("name"));

-- Orders, shops and imports ---------------------------------------------------------------------------------------------

-- A rejected or failed import has shop 0 if it named no stored shop or a shop that was being deleted, since the shop is part of
-- its key. Any other shop must exist.
ALTER TABLE "imports" ADD COLUMN "known_shop_id" integer GENERATED ALWAYS AS (nullif("shop_id", 0)) STORED;
ALTER TABLE "imports" ADD CONSTRAINT "imports_known_shop_id_fkey"
    FOREIGN KEY ("known_shop_id") REFERENCES "shops"("id") ON DELETE RESTRICT;
CREATE INDEX "imports_known_shop_id_idx" ON "imports"("known_shop_id");
CREATE INDEX "imports_row_history_idx" ON "imports"("row_history", "created_at") WHERE "row_history" <> 'deleted';
ALTER TABLE "imports" ADD CONSTRAINT "imports_shop"
    CHECK ("shop_id" > 0 OR "shop_id" = 0 AND "outcome" IN ('rejected', 'failed'));
ALTER TABLE "imports" ADD CONSTRAINT "imports_counts"
    CHECK (least("rows", "new_orders", "updated_orders", "changed_orders", "items_inserted", "items_changed", "warnings",
                 "errors", "held_rows", "duration_ms") >= 0 AND "changed_orders" <= "updated_orders");
ALTER TABLE "imports" ADD CONSTRAINT "imports_content_hash" CHECK ("content_hash" ~ '^[0-9a-f]{64}$');
ALTER TABLE "imports" ADD CONSTRAINT "imports_undone" CHECK (("outcome" = 'undone') = ("undone_at" IS NOT NULL));

ALTER TABLE "import_issues" ADD CONSTRAINT "import_issues_position" CHECK ("position" >= 0 AND "row" >= 0);
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_objects"
    CHECK (jsonb_typeof("before") = 'object' AND jsonb_typeof("after") = 'object');

ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_state" CHECK ("state" IN ('ready', 'running', 'done', 'failed'));
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_progress" CHECK ("done" BETWEEN 0 AND "total");
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_import" CHECK (("state" = 'done') = ("import_id" IS NOT NULL));
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_hashes"
    CHECK ("content_hash" ~ '^[0-9a-f]{64}$' AND "fingerprint" ~ '^[0-9a-f]{64}$');

ALTER TABLE "orders" ADD CONSTRAINT "orders_receipt_id" CHECK ("receipt_id" <> '');
-- Finds a buyer's other orders. The buyer's text may be too long for an index entry.
CREATE INDEX "orders_buyer_idx" ON "orders"("shop_id", left("buyer", 200)) WHERE "buyer" IS NOT NULL;
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_extra" CHECK (jsonb_typeof("extra") = 'object');
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_quantity" CHECK ("quantity" >= 0);
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_text" CHECK (length("text") BETWEEN 1 AND 5000);
-- In capitals and without spaces, the form in which numbers are compared (docs/tracking.md).
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_tracking_number"
    CHECK ("tracking_number" <> '' AND "tracking_number" !~ '[a-z[:space:]]');
ALTER TABLE "order_days" ADD CONSTRAINT "order_days_currency" CHECK ("currency" ~ '^([A-Z]{3})?$');
ALTER TABLE "order_days" ADD CONSTRAINT "order_days_counts"
    CHECK ("orders" > 0 AND "items" >= 0 AND "quantity" >= 0 AND ("currency" <> '' OR "revenue" = 0));

-- No statistics on how many rows each shop has. With them, PostgreSQL would expect only one row for a shop that was created after
-- the last ANALYZE, and would read all rows of the shop for each of its orders. Without them, it expects each shop to have the
-- same share of a table.
ALTER TABLE "orders" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "order_items" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "order_notes" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "order_search" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "order_days" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "shipments" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "queue_states" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "imports" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "import_changes" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "import_issues" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "import_drafts" ALTER COLUMN "shop_id" SET STATISTICS 0;

ALTER TABLE "export_templates" ADD CONSTRAINT "export_templates_format" CHECK ("format" IN ('csv', 'xlsx'));
ALTER TABLE "export_templates" ADD CONSTRAINT "export_templates_columns"
    CHECK (jsonb_typeof("columns") = 'array' AND jsonb_array_length("columns") > 0 AND jsonb_typeof("filter") = 'object');

ALTER TABLE "shops" ADD CONSTRAINT "shops_name" CHECK (length("name") BETWEEN 1 AND 200 AND "name" = btrim("name"));
ALTER TABLE "countries" ADD CONSTRAINT "countries_code" CHECK ("code" ~ '^[A-Z]{2}$');
ALTER TABLE "country_aliases" ADD CONSTRAINT "country_aliases_folded" CHECK ("folded_alias" <> '');

-- Work queues (docs/queues.md) --------------------------------------------------------------------------------------------

ALTER TABLE "queue_states" ADD CONSTRAINT "queue_states_one_state"
    CHECK (num_nonnulls("handled_at", "snoozed_until") = num_nonnulls("seen_at"));

ALTER TABLE "unmatched_numbers" ADD CONSTRAINT "unmatched_numbers_one_state"
    CHECK (num_nonnulls("handled_at", "snoozed_until") = num_nonnulls("seen_at"));
ALTER TABLE "unmatched_numbers" ADD CONSTRAINT "unmatched_numbers_note" CHECK (length("note") BETWEEN 1 AND 5000);
CREATE INDEX "unmatched_numbers_since_idx" ON "unmatched_numbers"("since") WHERE "matched_at" IS NULL;

-- Replies that somebody should review: drafts that were not sent, and replies from the API that have warnings.
CREATE VIEW "replies_to_review" AS
SELECT * FROM "replies"
 WHERE "order_id" IS NOT NULL AND "reply" IS NOT NULL AND "sent_at" IS NULL
   AND ("kind" = 'draft' OR "kind" = 'request' AND "warnings" <> '[]');
CREATE INDEX "replies_to_review_idx" ON "replies"("shop_id", "order_id", "created_at")
 WHERE "order_id" IS NOT NULL AND "reply" IS NOT NULL AND "sent_at" IS NULL
   AND ("kind" = 'draft' OR "kind" = 'request' AND "warnings" <> '[]');

-- Items as people see them, with the figures whose sums are an order's value and number of pieces. `choices` is what the buyer
-- chose, one choice per line: the variations, and the personalization text if the file had a column for it. An item is blank if
-- its row named no product, quantity or amount, for example because the row only adds a tracking number. `units` is the item's
-- number of pieces: one if the quantity is missing, none if the item is blank. `total` is the total in the marketplace's export
-- or, without it, price times units; `net_total` is `total` less the item's discount. Both are null if the item has neither a
-- total nor a price.
CREATE VIEW "described_items" AS
SELECT t.*, t."total" - coalesce(t."discount_amount", 0) AS "net_total"
  FROM (
    SELECT u.*, coalesce(u."item_total", u."price" * u."units") AS "total"
      FROM (
        SELECT d.*, CASE WHEN d."is_blank" THEN 0 ELSE coalesce(d."quantity", 1) END AS "units"
          FROM (
            SELECT i.*,
                   nullif(concat_ws(E'\n', nullif(i."variations", ''),
                                    (SELECT string_agg(x.value, E'\n' ORDER BY x.key) FROM jsonb_each_text(i."extra") x
                                      WHERE x.key ~* 'personali[sz]ation' AND x.value <> '')), '') AS "choices",
                   num_nonnulls(i."sku", i."title", i."listing_id", i."variations", i."quantity", i."price", i."item_total") = 0
                     AS "is_blank"
              FROM "order_items" i) d) u) t;

-- What is in each queue, and how users handled the entries; the overview, the navigation and the pages all use this view. An
-- entry that was handled or snoozed opens again as soon as there is news: a change to the order, its items or its shipments, such
-- as a new tracking number. In 'to_review', only another reply is news. `since` is null if it depends on a shipment. The days of
-- 'late' are also LATE_DAYS in src/server/queues/queue.ts, for display. The view reads only the shops' own records, because
-- carriers' reports may be on another server (docs/distribution.md). src/server/queues/entry-service.ts takes these reports into
-- account: it removes orders from 'not_scanned' whose labels have not waited long enough, and reopens handled or snoozed entries
-- that a carrier has reported on or a user has corrected since.
CREATE VIEW "queue_records" AS
SELECT e.shop_id, e.order_id, e.queue, e.since, e.updated_at, e.tracking_status,
       s.assigned_to, s.handled_at, s.snoozed_until, s.seen_at,
       CASE WHEN s.seen_at IS NULL OR s.snoozed_until <= now() THEN 'open'
            WHEN CASE WHEN e.queue = 'to_review' THEN e.since > s.seen_at
                      ELSE e.updated_at > s.seen_at
                           OR EXISTS (SELECT FROM order_items i
                                       WHERE i.shop_id = e.shop_id AND i.order_id = e.order_id AND i.updated_at > s.seen_at)
                           OR EXISTS (SELECT FROM shipments p
                                       WHERE p.shop_id = e.shop_id AND p.order_id = e.order_id AND p.updated_at > s.seen_at)
                      END THEN 'open'
            WHEN s.handled_at IS NULL THEN 'snoozed' ELSE 'handled' END AS record_state
  FROM (
    SELECT o.shop_id, o.id AS order_id, 'to_ship'::queue AS queue, coalesce(o.sale_date, o.created_at) AS since,
           o.updated_at, o.tracking_status
      FROM orders o WHERE o.status = 'paid'
     UNION ALL
    SELECT o.shop_id, o.id, 'late', o.sale_date, o.updated_at, o.tracking_status
      FROM orders o WHERE o.status = 'paid' AND o.sale_date < now() - interval '3 days'
     UNION ALL
    SELECT o.shop_id, o.id, 'exception', NULL, o.updated_at, o.tracking_status
      FROM orders o WHERE o.tracking_status = 'exception' AND o.status <> 'cancelled'
     UNION ALL
    SELECT o.shop_id, o.id, 'delivery_failed', NULL, o.updated_at, o.tracking_status
      FROM orders o WHERE o.tracking_status = 'delivery_failure' AND o.status <> 'cancelled'
     UNION ALL
    SELECT o.shop_id, o.id, 'not_scanned', NULL, o.updated_at, o.tracking_status
      FROM orders o
     WHERE o.tracking_status IN ('not_found', 'expired', 'info_received') AND o.status IN ('pending', 'paid', 'shipped')
     UNION ALL
    SELECT o.shop_id, o.id, 'to_review', r.written_at, o.updated_at, o.tracking_status
      FROM (SELECT shop_id, order_id, max(created_at) AS written_at FROM replies_to_review GROUP BY 1, 2) r
      JOIN orders o ON o.shop_id = r.shop_id AND o.id = r.order_id
     WHERE NOT EXISTS (SELECT FROM replies s
                        WHERE s.shop_id = r.shop_id AND s.order_id = r.order_id AND s.sent_at > r.written_at)) e
  LEFT JOIN queue_states s ON s.shop_id = e.shop_id AND s.order_id = e.order_id AND s.queue = e.queue;

-- Like queue_records, for the entries of the queue "Unmatched callbacks", which do not belong to a shop.
CREATE VIEW "unmatched_work" AS
SELECT u.*, CASE WHEN u.seen_at IS NULL OR u.snoozed_until <= now() OR u.latest_at > u.seen_at THEN 'open'
                 WHEN u.handled_at IS NULL THEN 'snoozed' ELSE 'handled' END AS entry_state
  FROM unmatched_numbers u WHERE u.matched_at IS NULL;

-- Notifications (docs/notifications.md) -----------------------------------------------------------------------------------

-- E-mail goes to the user's own address; a webhook has its own address.
ALTER TABLE "notification_channels"
    ADD CONSTRAINT "notification_channels_vendor" CHECK (
        ("vendor" = 'email') = ("url" IS NULL) AND ("vendor" <> 'email' OR "user_id" IS NOT NULL)
        AND ("vendor" = 'dingtalk' OR "signing_key" IS NULL)),
    ADD CONSTRAINT "notification_channels_send_at" CHECK ("send_at" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    ADD CONSTRAINT "notification_channels_kinds" CHECK (NOT 'test' = ANY("kinds"));
CREATE UNIQUE INDEX "notification_channels_one_email" ON "notification_channels"("user_id") WHERE "vendor" = 'email';
ALTER TABLE "notifications"
    ADD CONSTRAINT "notifications_attempts" CHECK ("attempts" >= 0),
    ADD CONSTRAINT "notifications_sent" CHECK (("state" = 'sent') = ("sent_at" IS NOT NULL));
