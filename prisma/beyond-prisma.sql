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
