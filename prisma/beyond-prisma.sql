-- What schema.prisma cannot say: `npm run db:migration -- init` puts the generated tables before it.

-- The audit log only grows.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER audit_log_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Members without a field are bounded where rows are merged, so that concurrent calls cannot exceed the limit together.
ALTER TABLE "shop_daily_statistics" ADD CONSTRAINT "shop_daily_statistics_extra_size"
    CHECK (octet_length("extra"::text) <= 65536);
ALTER TABLE "product_daily_statistics" ADD CONSTRAINT "product_daily_statistics_extra_size"
    CHECK (octet_length("extra"::text) <= 65536);

-- The list of parcels is ordered by how long a parcel has had its status.
CREATE INDEX "waybills_since_idx" ON "waybills"((coalesce("status_at", "created_at")) DESC, "tracking_number" DESC);

-- Amounts are grouped by it: a text of another shape would be a currency of its own.
ALTER TABLE "shops" ADD CONSTRAINT "shops_currency_shape" CHECK ("currency" ~ '^[A-Z]{3}$');

-- A prompt belongs to a shop or waits under a name, never both.
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_shop_or_name" CHECK (("shop_id" IS NULL) <> ("shop_name" IS NULL));

-- Orders, shops and imports ---------------------------------------------------------------------------------------------

-- A refused import that named no shop of ours has shop 0, since the shop is part of its key; every other shop must exist.
ALTER TABLE "imports" ADD COLUMN "known_shop_id" integer GENERATED ALWAYS AS (nullif("shop_id", 0)) STORED;
ALTER TABLE "imports" ADD CONSTRAINT "imports_known_shop_id_fkey"
    FOREIGN KEY ("known_shop_id") REFERENCES "shops"("id") ON DELETE RESTRICT;
CREATE INDEX "imports_known_shop_id_idx" ON "imports"("known_shop_id");
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
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_extra" CHECK (jsonb_typeof("extra") = 'object');
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_quantity" CHECK ("quantity" >= 0);
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_text" CHECK (length("text") BETWEEN 1 AND 5000);
-- In capitals and without spaces, as numbers are compared (docs/orders.md).
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_tracking_number"
    CHECK ("tracking_number" <> '' AND "tracking_number" !~ '[a-z[:space:]]');
ALTER TABLE "order_days" ADD CONSTRAINT "order_days_currency" CHECK ("currency" ~ '^([A-Z]{3})?$');
ALTER TABLE "order_days" ADD CONSTRAINT "order_days_counts"
    CHECK ("orders" > 0 AND "items" >= 0 AND "quantity" >= 0 AND ("currency" <> '' OR "revenue" = 0));

ALTER TABLE "shops" ADD CONSTRAINT "shops_name" CHECK (length("name") BETWEEN 1 AND 200 AND "name" = btrim("name"));
ALTER TABLE "countries" ADD CONSTRAINT "countries_code" CHECK ("code" ~ '^[A-Z]{2}$');
ALTER TABLE "country_aliases" ADD CONSTRAINT "country_aliases_folded" CHECK ("folded_alias" <> '');
