-- AlterTable
ALTER TABLE "reply_token_days" ADD COLUMN     "reserved_until" TIMESTAMPTZ(6);
