ALTER TABLE "shop_daily_statistics" VALIDATE CONSTRAINT "shop_daily_statistics_extra_size";
ALTER TABLE "product_daily_statistics" VALIDATE CONSTRAINT "product_daily_statistics_extra_size";
