-- The stored sums of days counted an item without a quantity as none. It counts as one, as in its order's value.
UPDATE "order_days" d SET "quantity" = d."quantity" + m.units
  FROM (
    SELECT o."shop_id", (o."sale_date" AT TIME ZONE 'America/New_York')::date AS day, coalesce(k."currency", '') AS currency,
           count(*) AS units
      FROM "described_items" i
      JOIN "orders" o ON o."shop_id" = i."shop_id" AND o."id" = i."order_id"
      -- A currency that is not one of ISO 4217 has no days of its own: its orders are among those without a currency.
      LEFT JOIN "order_days" k ON k."shop_id" = o."shop_id" AND k."currency" = o."currency"
           AND k."day" = (o."sale_date" AT TIME ZONE 'America/New_York')::date
     WHERE i."quantity" IS NULL AND NOT i."is_blank" AND o."status" <> 'cancelled' AND o."sale_date" IS NOT NULL
     GROUP BY 1, 2, 3) m
 WHERE d."shop_id" = m."shop_id" AND d."day" = m.day AND d."currency" = m.currency;
