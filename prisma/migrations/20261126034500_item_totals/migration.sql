-- Items get the columns `units`, `total` and `net_total`, which are the last ones.
CREATE OR REPLACE VIEW "described_items" AS
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
