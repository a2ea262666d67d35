-- The limit of 64 KiB applies to `extra` without the spaces that PostgreSQL writes after commas and colons. Every row that the old
-- constraint accepts is accepted. NOT VALID, because reading all rows would block the servers meanwhile; the next migration
-- validates the constraints without blocking them. Separate statements, because a cluster refuses ADD CONSTRAINT beside another change.

-- contract: unused since 0.28.0
ALTER TABLE "shop_daily_statistics" DROP CONSTRAINT "shop_daily_statistics_extra_size";
-- contract: unused since 0.28.0
ALTER TABLE "shop_daily_statistics"
    ADD CONSTRAINT "shop_daily_statistics_extra_size" CHECK (CASE
        WHEN octet_length("extra"::text) <= 65536 THEN true
        WHEN octet_length("extra"::text) > 98304 THEN false
        ELSE octet_length(regexp_replace("extra"::text, '("([^"\\]|\\.)*")|\s', '\1', 'g')) <= 65536 END) NOT VALID;

-- contract: unused since 0.28.0
ALTER TABLE "product_daily_statistics" DROP CONSTRAINT "product_daily_statistics_extra_size";
-- contract: unused since 0.28.0
ALTER TABLE "product_daily_statistics"
    ADD CONSTRAINT "product_daily_statistics_extra_size" CHECK (CASE
        WHEN octet_length("extra"::text) <= 65536 THEN true
        WHEN octet_length("extra"::text) > 98304 THEN false
        ELSE octet_length(regexp_replace("extra"::text, '("([^"\\]|\\.)*")|\s', '\1', 'g')) <= 65536 END) NOT VALID;
