-- AlterTable
ALTER TABLE "replies" ADD COLUMN     "extra" JSONB NOT NULL DEFAULT '{}';
