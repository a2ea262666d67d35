-- AlterTable
ALTER TABLE "users" ADD COLUMN     "locale_chosen" BOOLEAN NOT NULL DEFAULT false;

-- Chinese was chosen, or stored when its user saved the account page in Chinese. English may only be the default.
UPDATE "users" SET "locale_chosen" = true WHERE "locale" = 'zh';
