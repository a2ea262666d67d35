-- AlterTable
ALTER TABLE "statistic_restatements" ADD COLUMN     "days_late" INTEGER;

-- As the page "Changed days" has computed it so far. Servers of 0.28.0 go on writing rows without it, which the page still computes.
UPDATE "statistic_restatements" r
   SET "days_late" = (r."created_at" AT TIME ZONE coalesce(
         (SELECT s."time_zone" FROM "shops" s WHERE s."shop_id" = r."shop_id"), 'America/New_York'))::date - r."date";

-- Most replaced figures are those of a day that is not over yet. The page "Changed days" leaves these out.
CREATE INDEX "statistic_restatements_late_idx" ON "statistic_restatements"("id" DESC) WHERE "days_late" IS NULL OR "days_late" > 0;

-- CreateIndex
CREATE INDEX "order_items_listing_id_id_idx" ON "order_items"("listing_id", "id" DESC);

-- contract: unused since 0.28.0
-- The index above begins with the same column.
DROP INDEX "order_items_listing_id_idx";
