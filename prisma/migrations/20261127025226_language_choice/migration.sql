-- AlterTable
ALTER TABLE "users" ADD COLUMN     "locale_chosen" BOOLEAN NOT NULL DEFAULT false;

-- Nobody has Chinese without having chosen it; English is also the default.
UPDATE "users" SET "locale_chosen" = true WHERE "locale" = 'zh';
