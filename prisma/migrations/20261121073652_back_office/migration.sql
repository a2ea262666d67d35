-- Finds any part of a text by an index. A trusted extension: the database's owner may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- AlterTable
ALTER TABLE "inbound_records" ADD COLUMN     "replayed_at" TIMESTAMPTZ(6),
ADD COLUMN     "replays" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "searchable" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "order_search" (
    "order_id" BIGINT NOT NULL,
    "document" TEXT NOT NULL,

    CONSTRAINT "order_search_pkey" PRIMARY KEY ("order_id")
);

-- CreateTable
CREATE TABLE "order_notes" (
    "id" SERIAL NOT NULL,
    "order_id" BIGINT NOT NULL,
    "user_id" INTEGER,
    "author" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "saved_views" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "status_mappings" (
    "id" SERIAL NOT NULL,
    "source" TEXT NOT NULL,
    "provider_status" TEXT NOT NULL,
    "status" "tracking_status" NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "status_mappings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_drafts" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "file_name" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "sheet" BYTEA NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'ready',
    "fingerprint" TEXT,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "message" TEXT,
    "import_id" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "import_drafts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "order_search_document_idx" ON "order_search" USING GIN ("document" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "order_notes_order_id_id_idx" ON "order_notes"("order_id", "id");

-- CreateIndex
CREATE INDEX "order_notes_user_id_idx" ON "order_notes"("user_id");

-- CreateIndex
CREATE INDEX "saved_views_list_shared_idx" ON "saved_views"("list", "shared");

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_user_id_list_name_key" ON "saved_views"("user_id", "list", "name");

-- CreateIndex
CREATE UNIQUE INDEX "status_mappings_source_provider_status_key" ON "status_mappings"("source", "provider_status");

-- CreateIndex
CREATE INDEX "import_drafts_user_id_created_at_idx" ON "import_drafts"("user_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "import_drafts_account_id_idx" ON "import_drafts"("account_id");

-- CreateIndex
CREATE INDEX "import_drafts_import_id_idx" ON "import_drafts"("import_id");

-- CreateIndex
CREATE INDEX "imports_searchable_id_idx" ON "imports"("searchable", "id");

-- AddForeignKey
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "shops"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "order_days" (
    "account_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "orders" INTEGER NOT NULL,
    "items" INTEGER NOT NULL,
    "quantity" BIGINT NOT NULL,
    "revenue" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "order_days_pkey" PRIMARY KEY ("account_id","day","currency")
);

-- CreateIndex
CREATE INDEX "order_days_day_idx" ON "order_days"("day");

-- AddForeignKey
ALTER TABLE "order_days" ADD CONSTRAINT "order_days_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "shops"("id") ON DELETE CASCADE ON UPDATE CASCADE;
