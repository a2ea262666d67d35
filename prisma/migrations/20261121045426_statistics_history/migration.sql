-- AlterTable
ALTER TABLE "shop_daily_statistics" ADD COLUMN     "api_key_id" INTEGER;

-- AlterTable
ALTER TABLE "product_daily_statistics" ADD COLUMN     "api_key_id" INTEGER;

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

-- The members without a field are bounded where rows are merged, so that no race gets around it.
ALTER TABLE "shop_daily_statistics" ADD CONSTRAINT "shop_daily_statistics_extra_size"
    CHECK (octet_length("extra"::text) <= 65536);
ALTER TABLE "product_daily_statistics" ADD CONSTRAINT "product_daily_statistics_extra_size"
    CHECK (octet_length("extra"::text) <= 65536);
