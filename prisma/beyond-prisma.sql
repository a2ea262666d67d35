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

-- What an upsert replaced is kept by a trigger: in the upsert's own transaction, and true however many calls race.
CREATE FUNCTION keep_replaced_statistic() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before jsonb := to_jsonb(OLD) - 'created_at' - 'updated_at' - 'api_key_id';
    after jsonb := to_jsonb(NEW) - 'created_at' - 'updated_at' - 'api_key_id';
BEGIN
    IF before IS DISTINCT FROM after THEN
        INSERT INTO statistic_restatements (kind, listing_id, shop_id, date, before, after, api_key_id)
        VALUES (TG_ARGV[0]::statistic_kind, (after ->> 'listing_id')::bigint, NEW.shop_id, NEW.date,
                before, after, NEW.api_key_id);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER shop_daily_statistics_history AFTER UPDATE ON "shop_daily_statistics"
    FOR EACH ROW EXECUTE FUNCTION keep_replaced_statistic('shop');
CREATE TRIGGER product_daily_statistics_history AFTER UPDATE ON "product_daily_statistics"
    FOR EACH ROW EXECUTE FUNCTION keep_replaced_statistic('product');

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
