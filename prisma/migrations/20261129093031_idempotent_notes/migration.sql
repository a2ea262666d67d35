-- AlterTable
ALTER TABLE "order_notes" ADD COLUMN     "idempotency_key" TEXT;
