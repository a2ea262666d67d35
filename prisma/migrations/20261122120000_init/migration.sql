CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "order_status" AS ENUM ('pending', 'paid', 'shipped', 'delivered', 'cancelled');

-- CreateEnum
CREATE TYPE "tracking_status" AS ENUM ('not_found', 'expired', 'info_received', 'in_transit', 'available_for_pickup', 'out_for_delivery', 'delivery_failure', 'exception', 'delivered');

-- CreateEnum
CREATE TYPE "observation_kind" AS ENUM ('event', 'snapshot', 'correction');

-- CreateEnum
CREATE TYPE "inbound_kind" AS ENUM ('tracks', 'marketplace');

-- CreateEnum
CREATE TYPE "import_source" AS ENUM ('api', 'command', 'spreadsheet');

-- CreateEnum
CREATE TYPE "import_outcome" AS ENUM ('running', 'succeeded', 'rejected', 'failed', 'undone');

-- CreateEnum
CREATE TYPE "row_history" AS ENUM ('kept', 'expiring', 'deleted');

-- CreateEnum
CREATE TYPE "issue_severity" AS ENUM ('error', 'warning');

-- CreateEnum
CREATE TYPE "changed_record" AS ENUM ('order', 'item', 'shipment');

-- CreateEnum
CREATE TYPE "statistic_kind" AS ENUM ('shop', 'product');

-- CreateEnum
CREATE TYPE "prompt_state" AS ENUM ('draft', 'published', 'retired');

-- CreateEnum
CREATE TYPE "reply_outcome" AS ENUM ('answered', 'refused', 'failed');

-- CreateEnum
CREATE TYPE "reply_kind" AS ENUM ('request', 'trial', 'draft', 'handwritten', 'translation');

-- CreateEnum
CREATE TYPE "queue" AS ENUM ('to_ship', 'late', 'exception', 'delivery_failed', 'not_scanned', 'to_review');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'operator', 'viewer');

-- CreateEnum
CREATE TYPE "notification_kind" AS ENUM ('summary', 'late', 'exception', 'delivery_failed', 'not_scanned', 'statistics_missing', 'import_failed', 'key_expiring', 'test');

-- CreateEnum
CREATE TYPE "notification_vendor" AS ENUM ('email', 'wecom', 'dingtalk', 'slack');

-- CreateEnum
CREATE TYPE "notification_state" AS ENUM ('waiting', 'sending', 'sent', 'failed', 'skipped');

-- CreateEnum
CREATE TYPE "actor_kind" AS ENUM ('user', 'api_key', 'command', 'system');

-- CreateTable
CREATE TABLE "shops" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "shop_id" TEXT,
    "currency" TEXT,
    "time_zone" TEXT NOT NULL DEFAULT 'America/New_York',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archived_at" TIMESTAMPTZ(6),
    "deleting_at" TIMESTAMPTZ(6),

    CONSTRAINT "shops_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shop_former_names" (
    "name" TEXT NOT NULL,
    "shop_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "shop_former_names_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "orders" (
    "shop_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "receipt_id" TEXT NOT NULL,
    "status" "order_status" NOT NULL DEFAULT 'pending',
    "tracking_status" "tracking_status",
    "sale_date" TIMESTAMPTZ(6),
    "sold_on" TEXT,
    "shipped_indicator" TEXT,
    "buyer" TEXT,
    "currency" TEXT,
    "shipping_discount" DECIMAL(19,4),
    "order_shipping" DECIMAL(19,4),
    "order_sales_tax" DECIMAL(19,4),
    "vat_paid_by_buyer" DECIMAL(19,4),
    "inperson_discount" DECIMAL(19,4),
    "inperson_location" TEXT,
    "name" TEXT,
    "first_line" TEXT,
    "second_line" TEXT,
    "city" TEXT,
    "state" TEXT,
    "zip" TEXT,
    "country_name" TEXT,
    "country_code" CHAR(2),
    "order_type" TEXT,
    "payment_method" TEXT,
    "carrier_code" TEXT,
    "note" TEXT,
    "import_id" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("shop_id","id")
);

-- CreateTable
CREATE TABLE "order_search" (
    "shop_id" INTEGER NOT NULL,
    "order_id" BIGINT NOT NULL,
    "document" TEXT NOT NULL,

    CONSTRAINT "order_search_pkey" PRIMARY KEY ("shop_id","order_id")
);

-- CreateTable
CREATE TABLE "order_days" (
    "shop_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "orders" INTEGER NOT NULL,
    "items" INTEGER NOT NULL,
    "quantity" BIGINT NOT NULL,
    "revenue" DECIMAL(38,4) NOT NULL,

    CONSTRAINT "order_days_pkey" PRIMARY KEY ("shop_id","day","currency")
);

-- CreateTable
CREATE TABLE "order_notes" (
    "shop_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "order_id" BIGINT NOT NULL,
    "user_id" INTEGER,
    "author" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_notes_pkey" PRIMARY KEY ("shop_id","id")
);

-- CreateTable
CREATE TABLE "queue_states" (
    "shop_id" INTEGER NOT NULL,
    "order_id" BIGINT NOT NULL,
    "queue" "queue" NOT NULL,
    "handled_at" TIMESTAMPTZ(6),
    "handled_by" INTEGER,
    "snoozed_until" TIMESTAMPTZ(6),
    "seen_at" TIMESTAMPTZ(6),
    "assigned_to" INTEGER,

    CONSTRAINT "queue_states_pkey" PRIMARY KEY ("shop_id","order_id","queue")
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
CREATE TABLE "pinned_views" (
    "user_id" INTEGER NOT NULL,
    "view_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pinned_views_pkey" PRIMARY KEY ("user_id","view_id")
);

-- CreateTable
CREATE TABLE "export_templates" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "totals" BOOLEAN NOT NULL,
    "columns" JSONB NOT NULL,
    "filter" JSONB NOT NULL DEFAULT '{}',
    "user_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "export_templates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_items" (
    "shop_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "order_id" BIGINT NOT NULL,
    "transaction_id" TEXT,
    "listing_id" TEXT,
    "title" TEXT,
    "quantity" INTEGER,
    "price" DECIMAL(19,4),
    "coupon_code" TEXT,
    "coupon_details" TEXT,
    "discount_amount" DECIMAL(19,4),
    "item_total" DECIMAL(19,4),
    "variations" TEXT,
    "listing_type" TEXT,
    "sku" TEXT,
    "extra" JSONB NOT NULL DEFAULT '{}',
    "import_id" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_items_pkey" PRIMARY KEY ("shop_id","id")
);

-- CreateTable
CREATE TABLE "tracking_numbers" (
    "tracking_number" TEXT NOT NULL,
    "carrier_code" TEXT,
    "status" "tracking_status" NOT NULL DEFAULT 'not_found',
    "sub_status" TEXT,
    "status_at" TIMESTAMPTZ(6),
    "registered_at" TIMESTAMPTZ(6),
    "asked_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tracking_numbers_pkey" PRIMARY KEY ("tracking_number")
);

-- CreateTable
CREATE TABLE "tracking_number_shops" (
    "tracking_number" TEXT NOT NULL,
    "shop_id" INTEGER NOT NULL,

    CONSTRAINT "tracking_number_shops_pkey" PRIMARY KEY ("tracking_number","shop_id")
);

-- CreateTable
CREATE TABLE "unmatched_numbers" (
    "tracking_number" TEXT NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "latest_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "matched_at" TIMESTAMPTZ(6),
    "handled_at" TIMESTAMPTZ(6),
    "handled_by" INTEGER,
    "snoozed_until" TIMESTAMPTZ(6),
    "seen_at" TIMESTAMPTZ(6),
    "assigned_to" INTEGER,
    "note" TEXT,

    CONSTRAINT "unmatched_numbers_pkey" PRIMARY KEY ("tracking_number")
);

-- CreateTable
CREATE TABLE "shipments" (
    "shop_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "order_id" BIGINT NOT NULL,
    "tracking_number" TEXT NOT NULL,
    "carrier_code" TEXT,
    "import_id" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "shipments_pkey" PRIMARY KEY ("shop_id","id")
);

-- CreateTable
CREATE TABLE "tracking_events" (
    "id" BIGSERIAL NOT NULL,
    "tracking_number" TEXT NOT NULL,
    "kind" "observation_kind" NOT NULL,
    "identity" BYTEA NOT NULL,
    "occurred_at" TIMESTAMPTZ(6) NOT NULL,
    "status" "tracking_status",
    "sub_status" TEXT,
    "stage" TEXT,
    "provider_status" TEXT,
    "description" TEXT,
    "location" TEXT,
    "source" TEXT NOT NULL,
    "inbound_record_id" BIGINT,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tracking_events_pkey" PRIMARY KEY ("tracking_number","identity")
);

-- CreateTable
CREATE TABLE "inbound_records" (
    "id" BIGSERIAL NOT NULL,
    "kind" "inbound_kind" NOT NULL,
    "method" TEXT NOT NULL,
    "query" JSONB NOT NULL DEFAULT '{}',
    "headers" JSONB NOT NULL DEFAULT '{}',
    "body" BYTEA NOT NULL,
    "result" JSONB,
    "error" JSONB,
    "api_key_id" INTEGER,
    "request_id" TEXT,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "processed_at" TIMESTAMPTZ(6),
    "replays" INTEGER NOT NULL DEFAULT 0,
    "replayed_at" TIMESTAMPTZ(6),

    CONSTRAINT "inbound_records_pkey" PRIMARY KEY ("id")
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
CREATE TABLE "categories" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "products" (
    "id" SERIAL NOT NULL,
    "code" TEXT NOT NULL,
    "category_id" INTEGER NOT NULL,
    "name" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archived_at" TIMESTAMPTZ(6),

    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "countries" (
    "code" CHAR(2) NOT NULL,
    "name" TEXT NOT NULL,
    "folded_name" TEXT NOT NULL,

    CONSTRAINT "countries_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "country_aliases" (
    "folded_alias" TEXT NOT NULL,
    "alias" TEXT NOT NULL,
    "country_code" CHAR(2) NOT NULL,

    CONSTRAINT "country_aliases_pkey" PRIMARY KEY ("folded_alias")
);

-- CreateTable
CREATE TABLE "prompts" (
    "id" SERIAL NOT NULL,
    "shop_id" INTEGER,
    "shop_name" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prompt_versions" (
    "id" SERIAL NOT NULL,
    "prompt_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "state" "prompt_state" NOT NULL DEFAULT 'draft',
    "created_by_user_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_at" TIMESTAMPTZ(6),

    CONSTRAINT "prompt_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "replies" (
    "id" BIGSERIAL NOT NULL,
    "kind" "reply_kind" NOT NULL DEFAULT 'request',
    "requested_by" TEXT,
    "shop_name" TEXT NOT NULL,
    "shop_id" INTEGER,
    "order_id" BIGINT,
    "prompt_version_id" INTEGER,
    "order_number" TEXT,
    "buyer_name" TEXT,
    "messages" JSONB NOT NULL,
    "extra" JSONB NOT NULL DEFAULT '{}',
    "reply" TEXT,
    "model" TEXT NOT NULL,
    "outcome" "reply_outcome" NOT NULL,
    "error" TEXT,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "input_tokens" INTEGER,
    "output_tokens" INTEGER,
    "duration_ms" INTEGER NOT NULL,
    "api_key_id" INTEGER,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "language" TEXT,
    "sent_text" TEXT,
    "sent_at" TIMESTAMPTZ(6),
    "sent_by" TEXT,
    "sent_key" TEXT,

    CONSTRAINT "replies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shop_daily_statistics" (
    "shop_id" VARCHAR(50) NOT NULL,
    "date" DATE NOT NULL,
    "ad_impressions" BIGINT,
    "ad_clicks" BIGINT,
    "ad_click_rate" DECIMAL(7,4),
    "ad_spend" DECIMAL(19,4),
    "ad_orders" BIGINT,
    "ad_revenue" DECIMAL(19,4),
    "total_orders" BIGINT,
    "total_revenue" DECIMAL(19,4),
    "total_views" BIGINT,
    "total_visits" BIGINT,
    "conversion_rate" DECIMAL(7,4),
    "ad_revenue_ratio" DECIMAL(7,4),
    "extra" JSONB NOT NULL DEFAULT '{}',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "shop_daily_statistics_pkey" PRIMARY KEY ("shop_id","date")
);

-- CreateTable
CREATE TABLE "product_daily_statistics" (
    "shop_id" VARCHAR(50) NOT NULL,
    "date" DATE NOT NULL,
    "listing_id" BIGINT NOT NULL,
    "visits" BIGINT,
    "total_views" BIGINT,
    "orders" BIGINT,
    "revenue" DECIMAL(19,4),
    "impression_count" BIGINT,
    "click_count" BIGINT,
    "spent_total" DECIMAL(19,4),
    "conversions" BIGINT,
    "ad_revenue" DECIMAL(19,4),
    "click_rate" DECIMAL(7,4),
    "roas" DECIMAL(19,4),
    "extra" JSONB NOT NULL DEFAULT '{}',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "product_daily_statistics_pkey" PRIMARY KEY ("shop_id","date","listing_id")
);

-- CreateTable
CREATE TABLE "statistic_restatements" (
    "id" BIGSERIAL NOT NULL,
    "kind" "statistic_kind" NOT NULL,
    "listing_id" BIGINT,
    "shop_id" VARCHAR(50) NOT NULL,
    "date" DATE NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "api_key_id" INTEGER,
    "import_id" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "statistic_restatements_pkey" PRIMARY KEY ("shop_id","id")
);

-- CreateTable
CREATE TABLE "statistic_imports" (
    "id" BIGSERIAL NOT NULL,
    "kind" "statistic_kind" NOT NULL,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "statistic_imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "locale" TEXT NOT NULL DEFAULT 'en',
    "time_zone" TEXT,
    "password_hash" TEXT,
    "password_changed_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deactivated_at" TIMESTAMPTZ(6),
    "last_sign_in_at" TIMESTAMPTZ(6),
    "totp_secret" BYTEA,
    "totp_enabled_at" TIMESTAMPTZ(6),
    "totp_last_step" BIGINT,
    "two_factor_required" BOOLEAN NOT NULL DEFAULT false,
    "first_steps_dismissed_at" TIMESTAMPTZ(6),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_sessions" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "method" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(6),
    "address" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "personal_tokens" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "personal_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_clients" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "secret_hash" BYTEA,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_records" (
    "model" TEXT NOT NULL,
    "id_hash" BYTEA NOT NULL,
    "payload" JSONB NOT NULL,
    "grant_id" TEXT,
    "uid" TEXT,
    "client_id" TEXT,
    "user_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "consumed_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6),

    CONSTRAINT "oauth_records_pkey" PRIMARY KEY ("model","id_hash")
);

-- CreateTable
CREATE TABLE "oauth_signing_keys" (
    "id" TEXT NOT NULL,
    "encrypted" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(6),

    CONSTRAINT "oauth_signing_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_by_user_id" INTEGER,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "address_ranges" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "reply_tokens_per_day" INTEGER,
    "rotated_from_id" INTEGER,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_calls" (
    "id" BIGSERIAL NOT NULL,
    "api_key_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "request_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "error" JSONB,
    "address" TEXT,

    CONSTRAINT "api_key_calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_requests" (
    "api_key_id" INTEGER NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "leased_until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "idempotent_requests_pkey" PRIMARY KEY ("api_key_id","operation","key")
);

-- CreateTable
CREATE TABLE "reply_token_days" (
    "spender" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "used" BIGINT NOT NULL DEFAULT 0,
    "reserved" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "reply_token_days_pkey" PRIMARY KEY ("spender","day")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "sign_in_turns" (
    "name" TEXT NOT NULL,
    "tries" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "sign_in_turns_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "imports" (
    "shop_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "source" "import_source" NOT NULL,
    "outcome" "import_outcome" NOT NULL,
    "actor" TEXT NOT NULL,
    "api_key_id" INTEGER,
    "user_id" INTEGER,
    "request_id" TEXT,
    "file_name" TEXT,
    "content_hash" TEXT NOT NULL,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "new_orders" INTEGER NOT NULL DEFAULT 0,
    "updated_orders" INTEGER NOT NULL DEFAULT 0,
    "changed_orders" INTEGER NOT NULL DEFAULT 0,
    "items_inserted" INTEGER NOT NULL DEFAULT 0,
    "items_changed" INTEGER NOT NULL DEFAULT 0,
    "warnings" INTEGER NOT NULL DEFAULT 0,
    "errors" INTEGER NOT NULL DEFAULT 0,
    "held_rows" INTEGER NOT NULL DEFAULT 0,
    "failure" JSONB,
    "duration_ms" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(6),
    "undone_by_user_id" INTEGER,
    "searchable" BOOLEAN NOT NULL DEFAULT false,
    "row_history" "row_history" NOT NULL DEFAULT 'kept',

    CONSTRAINT "imports_pkey" PRIMARY KEY ("shop_id","id")
);

-- CreateTable
CREATE TABLE "import_drafts" (
    "shop_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "file_name" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "sheet" BYTEA NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'ready',
    "fingerprint" TEXT,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "step" TEXT,
    "failure" JSONB,
    "import_id" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "import_drafts_pkey" PRIMARY KEY ("shop_id","id")
);

-- CreateTable
CREATE TABLE "import_issues" (
    "shop_id" INTEGER NOT NULL,
    "import_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "severity" "issue_severity" NOT NULL,
    "row" INTEGER,
    "path" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "values" JSONB NOT NULL,

    CONSTRAINT "import_issues_pkey" PRIMARY KEY ("shop_id","import_id","position")
);

-- CreateTable
CREATE TABLE "import_changes" (
    "shop_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "import_id" BIGINT NOT NULL,
    "record" "changed_record" NOT NULL,
    "record_id" BIGINT NOT NULL,
    "order_id" BIGINT NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,

    CONSTRAINT "import_changes_pkey" PRIMARY KEY ("shop_id","id")
);

-- CreateTable
CREATE TABLE "notification_channels" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER,
    "vendor" "notification_vendor" NOT NULL,
    "name" TEXT NOT NULL,
    "url" BYTEA,
    "signing_key" BYTEA,
    "kinds" "notification_kind"[],
    "shop_ids" INTEGER[],
    "send_at" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "empty_days" BOOLEAN NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "summary_from" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" BIGSERIAL NOT NULL,
    "channel_id" INTEGER NOT NULL,
    "kind" "notification_kind" NOT NULL,
    "period" TEXT NOT NULL,
    "message" JSONB NOT NULL,
    "state" "notification_state" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failure" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(6),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_entries" (
    "channel_id" INTEGER NOT NULL,
    "kind" "notification_kind" NOT NULL,
    "entry" TEXT NOT NULL,
    "noticed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_entries_pkey" PRIMARY KEY ("channel_id","kind","entry")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGSERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" INTEGER,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "record_type" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "address" TEXT,
    "request_id" TEXT,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "shops_name_key" ON "shops"("name");

-- CreateIndex
CREATE UNIQUE INDEX "shops_shop_id_key" ON "shops"("shop_id");

-- CreateIndex
CREATE INDEX "shop_former_names_shop_id_idx" ON "shop_former_names"("shop_id");

-- CreateIndex
CREATE INDEX "orders_id_idx" ON "orders"("id");

-- CreateIndex
CREATE INDEX "orders_shop_id_sale_date_id_idx" ON "orders"("shop_id", "sale_date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_sale_date_id_idx" ON "orders"("sale_date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_status_sale_date_idx" ON "orders"("status", "sale_date" DESC);

-- CreateIndex
CREATE INDEX "orders_tracking_status_sale_date_idx" ON "orders"("tracking_status", "sale_date" DESC);

-- CreateIndex
CREATE INDEX "orders_country_code_sale_date_idx" ON "orders"("country_code", "sale_date" DESC);

-- CreateIndex
CREATE INDEX "orders_receipt_id_idx" ON "orders"("receipt_id");

-- CreateIndex
CREATE INDEX "orders_shop_id_import_id_idx" ON "orders"("shop_id", "import_id");

-- CreateIndex
CREATE UNIQUE INDEX "orders_shop_id_receipt_id_key" ON "orders"("shop_id", "receipt_id");

-- CreateIndex
CREATE INDEX "order_search_document_idx" ON "order_search" USING GIN ("document" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "order_days_day_idx" ON "order_days"("day");

-- CreateIndex
CREATE INDEX "order_notes_shop_id_order_id_id_idx" ON "order_notes"("shop_id", "order_id", "id");

-- CreateIndex
CREATE INDEX "order_notes_user_id_idx" ON "order_notes"("user_id");

-- CreateIndex
CREATE INDEX "queue_states_handled_by_handled_at_idx" ON "queue_states"("handled_by", "handled_at");

-- CreateIndex
CREATE INDEX "queue_states_assigned_to_idx" ON "queue_states"("assigned_to");

-- CreateIndex
CREATE INDEX "saved_views_list_shared_idx" ON "saved_views"("list", "shared");

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_user_id_list_name_key" ON "saved_views"("user_id", "list", "name");

-- CreateIndex
CREATE INDEX "pinned_views_view_id_idx" ON "pinned_views"("view_id");

-- CreateIndex
CREATE UNIQUE INDEX "export_templates_name_key" ON "export_templates"("name");

-- CreateIndex
CREATE INDEX "export_templates_user_id_idx" ON "export_templates"("user_id");

-- CreateIndex
CREATE INDEX "order_items_listing_id_idx" ON "order_items"("listing_id");

-- CreateIndex
CREATE INDEX "order_items_sku_idx" ON "order_items"("sku");

-- CreateIndex
CREATE INDEX "order_items_shop_id_import_id_idx" ON "order_items"("shop_id", "import_id");

-- CreateIndex
CREATE UNIQUE INDEX "order_items_shop_id_order_id_transaction_id_key" ON "order_items"("shop_id", "order_id", "transaction_id");

-- CreateIndex
CREATE INDEX "tracking_numbers_status_asked_at_idx" ON "tracking_numbers"("status", "asked_at");

-- CreateIndex
CREATE INDEX "tracking_numbers_carrier_code_idx" ON "tracking_numbers"("carrier_code");

-- CreateIndex
CREATE INDEX "tracking_number_shops_shop_id_idx" ON "tracking_number_shops"("shop_id");

-- CreateIndex
CREATE INDEX "unmatched_numbers_handled_by_handled_at_idx" ON "unmatched_numbers"("handled_by", "handled_at");

-- CreateIndex
CREATE INDEX "unmatched_numbers_assigned_to_idx" ON "unmatched_numbers"("assigned_to");

-- CreateIndex
CREATE INDEX "shipments_tracking_number_shop_id_idx" ON "shipments"("tracking_number", "shop_id");

-- CreateIndex
CREATE INDEX "shipments_carrier_code_idx" ON "shipments"("carrier_code");

-- CreateIndex
CREATE INDEX "shipments_shop_id_import_id_idx" ON "shipments"("shop_id", "import_id");

-- CreateIndex
CREATE UNIQUE INDEX "shipments_shop_id_order_id_tracking_number_key" ON "shipments"("shop_id", "order_id", "tracking_number");

-- CreateIndex
CREATE INDEX "tracking_events_tracking_number_occurred_at_idx" ON "tracking_events"("tracking_number", "occurred_at");

-- CreateIndex
CREATE INDEX "tracking_events_inbound_record_id_idx" ON "tracking_events"("inbound_record_id");

-- CreateIndex
CREATE INDEX "inbound_records_kind_received_at_idx" ON "inbound_records"("kind", "received_at" DESC);

-- CreateIndex
CREATE INDEX "inbound_records_api_key_id_idx" ON "inbound_records"("api_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "status_mappings_source_provider_status_key" ON "status_mappings"("source", "provider_status");

-- CreateIndex
CREATE UNIQUE INDEX "categories_name_key" ON "categories"("name");

-- CreateIndex
CREATE INDEX "categories_position_idx" ON "categories"("position");

-- CreateIndex
CREATE UNIQUE INDEX "products_code_key" ON "products"("code");

-- CreateIndex
CREATE INDEX "products_category_id_code_idx" ON "products"("category_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "countries_folded_name_key" ON "countries"("folded_name");

-- CreateIndex
CREATE INDEX "country_aliases_country_code_idx" ON "country_aliases"("country_code");

-- CreateIndex
CREATE UNIQUE INDEX "prompts_shop_id_key" ON "prompts"("shop_id");

-- CreateIndex
CREATE UNIQUE INDEX "prompts_shop_name_key" ON "prompts"("shop_name");

-- CreateIndex
CREATE INDEX "prompt_versions_created_by_user_id_idx" ON "prompt_versions"("created_by_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "prompt_versions_prompt_id_version_key" ON "prompt_versions"("prompt_id", "version");

-- CreateIndex
CREATE INDEX "replies_created_at_idx" ON "replies"("created_at" DESC);

-- CreateIndex
CREATE INDEX "replies_shop_name_created_at_idx" ON "replies"("shop_name", "created_at" DESC);

-- CreateIndex
CREATE INDEX "replies_shop_id_order_id_id_idx" ON "replies"("shop_id", "order_id", "id");

-- CreateIndex
CREATE INDEX "replies_prompt_version_id_idx" ON "replies"("prompt_version_id");

-- CreateIndex
CREATE INDEX "replies_api_key_id_idx" ON "replies"("api_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "replies_shop_id_order_id_sent_key_key" ON "replies"("shop_id", "order_id", "sent_key");

-- CreateIndex
CREATE INDEX "shop_daily_statistics_date_idx" ON "shop_daily_statistics"("date");

-- CreateIndex
CREATE INDEX "product_daily_statistics_listing_id_date_idx" ON "product_daily_statistics"("listing_id", "date");

-- CreateIndex
CREATE INDEX "product_daily_statistics_date_idx" ON "product_daily_statistics"("date");

-- CreateIndex
CREATE INDEX "statistic_restatements_id_idx" ON "statistic_restatements"("id" DESC);

-- CreateIndex
CREATE INDEX "statistic_restatements_shop_id_date_idx" ON "statistic_restatements"("shop_id", "date");

-- CreateIndex
CREATE INDEX "statistic_restatements_listing_id_date_idx" ON "statistic_restatements"("listing_id", "date");

-- CreateIndex
CREATE INDEX "statistic_restatements_api_key_id_idx" ON "statistic_restatements"("api_key_id");

-- CreateIndex
CREATE INDEX "statistic_restatements_import_id_idx" ON "statistic_restatements"("import_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "user_sessions_user_id_last_seen_at_idx" ON "user_sessions"("user_id", "last_seen_at" DESC);

-- CreateIndex
CREATE INDEX "user_sessions_last_seen_at_idx" ON "user_sessions"("last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "recovery_codes_user_id_hash_key" ON "recovery_codes"("user_id", "hash");

-- CreateIndex
CREATE UNIQUE INDEX "personal_tokens_hash_key" ON "personal_tokens"("hash");

-- CreateIndex
CREATE INDEX "personal_tokens_user_id_idx" ON "personal_tokens"("user_id");

-- CreateIndex
CREATE INDEX "oauth_records_grant_id_idx" ON "oauth_records"("grant_id");

-- CreateIndex
CREATE INDEX "oauth_records_model_uid_idx" ON "oauth_records"("model", "uid");

-- CreateIndex
CREATE INDEX "oauth_records_client_id_idx" ON "oauth_records"("client_id");

-- CreateIndex
CREATE INDEX "oauth_records_user_id_idx" ON "oauth_records"("user_id");

-- CreateIndex
CREATE INDEX "oauth_records_expires_at_idx" ON "oauth_records"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_created_by_user_id_idx" ON "api_keys"("created_by_user_id");

-- CreateIndex
CREATE INDEX "api_keys_rotated_from_id_idx" ON "api_keys"("rotated_from_id");

-- CreateIndex
CREATE INDEX "api_key_calls_api_key_id_id_idx" ON "api_key_calls"("api_key_id", "id" DESC);

-- CreateIndex
CREATE INDEX "api_key_calls_created_at_idx" ON "api_key_calls"("created_at");

-- CreateIndex
CREATE INDEX "idempotent_requests_created_at_idx" ON "idempotent_requests"("created_at");

-- CreateIndex
CREATE INDEX "reply_token_days_day_idx" ON "reply_token_days"("day");

-- CreateIndex
CREATE INDEX "rate_limits_expire_idx" ON "rate_limits"("expire");

-- CreateIndex
CREATE INDEX "sign_in_turns_expires_at_idx" ON "sign_in_turns"("expires_at");

-- CreateIndex
CREATE INDEX "imports_id_idx" ON "imports"("id");

-- CreateIndex
CREATE INDEX "imports_created_at_idx" ON "imports"("created_at" DESC);

-- CreateIndex
CREATE INDEX "imports_shop_id_created_at_idx" ON "imports"("shop_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "imports_searchable_shop_id_id_idx" ON "imports"("searchable", "shop_id", "id");

-- CreateIndex
CREATE INDEX "imports_api_key_id_idx" ON "imports"("api_key_id");

-- CreateIndex
CREATE INDEX "imports_user_id_idx" ON "imports"("user_id");

-- CreateIndex
CREATE INDEX "imports_undone_by_user_id_idx" ON "imports"("undone_by_user_id");

-- CreateIndex
CREATE INDEX "import_drafts_user_id_created_at_idx" ON "import_drafts"("user_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "import_drafts_shop_id_import_id_idx" ON "import_drafts"("shop_id", "import_id");

-- CreateIndex
CREATE INDEX "import_changes_shop_id_import_id_idx" ON "import_changes"("shop_id", "import_id");

-- CreateIndex
CREATE INDEX "import_changes_shop_id_order_id_idx" ON "import_changes"("shop_id", "order_id");

-- CreateIndex
CREATE INDEX "notification_channels_user_id_idx" ON "notification_channels"("user_id");

-- CreateIndex
CREATE INDEX "notifications_state_due_at_idx" ON "notifications"("state", "due_at");

-- CreateIndex
CREATE INDEX "notifications_created_at_idx" ON "notifications"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_channel_id_kind_period_key" ON "notifications"("channel_id", "kind", "period");

-- CreateIndex
CREATE INDEX "audit_log_created_at_idx" ON "audit_log"("created_at" DESC);

-- CreateIndex
CREATE INDEX "audit_log_record_type_record_id_created_at_idx" ON "audit_log"("record_type", "record_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "audit_log_actor_kind_actor_id_created_at_idx" ON "audit_log"("actor_kind", "actor_id", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "shop_former_names" ADD CONSTRAINT "shop_former_names_shop_id_fkey" FOREIGN KEY ("shop_id") REFERENCES "shops"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_shop_id_fkey" FOREIGN KEY ("shop_id") REFERENCES "shops"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_country_code_fkey" FOREIGN KEY ("country_code") REFERENCES "countries"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_days" ADD CONSTRAINT "order_days_shop_id_fkey" FOREIGN KEY ("shop_id") REFERENCES "shops"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_shop_id_order_id_fkey" FOREIGN KEY ("shop_id", "order_id") REFERENCES "orders"("shop_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "queue_states" ADD CONSTRAINT "queue_states_shop_id_order_id_fkey" FOREIGN KEY ("shop_id", "order_id") REFERENCES "orders"("shop_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "queue_states" ADD CONSTRAINT "queue_states_handled_by_fkey" FOREIGN KEY ("handled_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "queue_states" ADD CONSTRAINT "queue_states_assigned_to_fkey" FOREIGN KEY ("assigned_to") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pinned_views" ADD CONSTRAINT "pinned_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pinned_views" ADD CONSTRAINT "pinned_views_view_id_fkey" FOREIGN KEY ("view_id") REFERENCES "saved_views"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export_templates" ADD CONSTRAINT "export_templates_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_shop_id_order_id_fkey" FOREIGN KEY ("shop_id", "order_id") REFERENCES "orders"("shop_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tracking_number_shops" ADD CONSTRAINT "tracking_number_shops_tracking_number_fkey" FOREIGN KEY ("tracking_number") REFERENCES "tracking_numbers"("tracking_number") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tracking_number_shops" ADD CONSTRAINT "tracking_number_shops_shop_id_fkey" FOREIGN KEY ("shop_id") REFERENCES "shops"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unmatched_numbers" ADD CONSTRAINT "unmatched_numbers_tracking_number_fkey" FOREIGN KEY ("tracking_number") REFERENCES "tracking_numbers"("tracking_number") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unmatched_numbers" ADD CONSTRAINT "unmatched_numbers_handled_by_fkey" FOREIGN KEY ("handled_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unmatched_numbers" ADD CONSTRAINT "unmatched_numbers_assigned_to_fkey" FOREIGN KEY ("assigned_to") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_shop_id_order_id_fkey" FOREIGN KEY ("shop_id", "order_id") REFERENCES "orders"("shop_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_tracking_number_fkey" FOREIGN KEY ("tracking_number") REFERENCES "tracking_numbers"("tracking_number") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tracking_events" ADD CONSTRAINT "tracking_events_tracking_number_fkey" FOREIGN KEY ("tracking_number") REFERENCES "tracking_numbers"("tracking_number") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tracking_events" ADD CONSTRAINT "tracking_events_inbound_record_id_fkey" FOREIGN KEY ("inbound_record_id") REFERENCES "inbound_records"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbound_records" ADD CONSTRAINT "inbound_records_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "country_aliases" ADD CONSTRAINT "country_aliases_country_code_fkey" FOREIGN KEY ("country_code") REFERENCES "countries"("code") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_shop_id_fkey" FOREIGN KEY ("shop_id") REFERENCES "shops"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_prompt_id_fkey" FOREIGN KEY ("prompt_id") REFERENCES "prompts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_created_by_user_id_fkey" FOREIGN KEY ("created_by_user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "replies" ADD CONSTRAINT "replies_prompt_version_id_fkey" FOREIGN KEY ("prompt_version_id") REFERENCES "prompt_versions"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "replies" ADD CONSTRAINT "replies_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "statistic_restatements" ADD CONSTRAINT "statistic_restatements_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "statistic_restatements" ADD CONSTRAINT "statistic_restatements_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "statistic_imports"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_records" ADD CONSTRAINT "oauth_records_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_user_id_fkey" FOREIGN KEY ("created_by_user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_from_id_fkey" FOREIGN KEY ("rotated_from_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_calls" ADD CONSTRAINT "api_key_calls_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_undone_by_user_id_fkey" FOREIGN KEY ("undone_by_user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_shop_id_fkey" FOREIGN KEY ("shop_id") REFERENCES "shops"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_shop_id_import_id_fkey" FOREIGN KEY ("shop_id", "import_id") REFERENCES "imports"("shop_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_issues" ADD CONSTRAINT "import_issues_shop_id_import_id_fkey" FOREIGN KEY ("shop_id", "import_id") REFERENCES "imports"("shop_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_shop_id_import_id_fkey" FOREIGN KEY ("shop_id", "import_id") REFERENCES "imports"("shop_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "notification_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_entries" ADD CONSTRAINT "notification_entries_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "notification_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What schema.prisma cannot say: `npm run db:migration -- init` puts the generated tables before it.

-- Statistics. Members without a field are bounded here, as rows are merged: concurrent calls cannot exceed the limit together.
ALTER TABLE "shop_daily_statistics"
    ADD CONSTRAINT "shop_daily_statistics_shop_id_not_blank" CHECK (btrim("shop_id") <> ''),
    ADD CONSTRAINT "shop_daily_statistics_counts" CHECK (
        least("ad_impressions", "ad_clicks", "ad_orders", "total_orders", "total_views", "total_visits") >= 0
        AND greatest("ad_impressions", "ad_clicks", "ad_orders", "total_orders", "total_views", "total_visits") <= 9007199254740991),
    ADD CONSTRAINT "shop_daily_statistics_amounts" CHECK (
        least("ad_spend", "ad_revenue", "total_revenue") >= 0
        AND greatest("ad_spend", "ad_revenue", "total_revenue") <= 1000000000000),
    ADD CONSTRAINT "shop_daily_statistics_rates" CHECK (
        least("ad_click_rate", "conversion_rate", "ad_revenue_ratio") >= 0
        AND greatest("ad_click_rate", "conversion_rate", "ad_revenue_ratio") <= 100),
    ADD CONSTRAINT "shop_daily_statistics_revision" CHECK ("revision" > 0),
    ADD CONSTRAINT "shop_daily_statistics_extra_object" CHECK (jsonb_typeof("extra") = 'object'),
    ADD CONSTRAINT "shop_daily_statistics_extra_size" CHECK (octet_length("extra"::text) <= 65536);
ALTER TABLE "product_daily_statistics"
    ADD CONSTRAINT "product_daily_statistics_shop_id_not_blank" CHECK (btrim("shop_id") <> ''),
    ADD CONSTRAINT "product_daily_statistics_counts" CHECK (
        least("listing_id", "visits", "total_views", "orders", "impression_count", "click_count", "conversions") >= 0
        AND greatest("listing_id", "visits", "total_views", "orders", "impression_count", "click_count", "conversions")
            <= 9007199254740991),
    ADD CONSTRAINT "product_daily_statistics_amounts" CHECK (
        least("revenue", "spent_total", "ad_revenue", "roas") >= 0
        AND greatest("revenue", "spent_total", "ad_revenue", "roas") <= 1000000000000),
    ADD CONSTRAINT "product_daily_statistics_rates" CHECK ("click_rate" BETWEEN 0 AND 100),
    ADD CONSTRAINT "product_daily_statistics_revision" CHECK ("revision" > 0),
    ADD CONSTRAINT "product_daily_statistics_extra_object" CHECK (jsonb_typeof("extra") = 'object'),
    ADD CONSTRAINT "product_daily_statistics_extra_size" CHECK (octet_length("extra"::text) <= 65536);
ALTER TABLE "statistic_restatements"
    ADD CONSTRAINT "statistic_restatements_listing" CHECK (("kind" = 'product') = ("listing_id" IS NOT NULL)),
    ADD CONSTRAINT "statistic_restatements_source" CHECK ("api_key_id" IS NULL OR "import_id" IS NULL),
    ADD CONSTRAINT "statistic_restatements_changed" CHECK ("before" <> "after");

-- Tracking. Numbers have the one form that normaliseTrackingNumber gives them.
ALTER TABLE "tracking_numbers"
    ADD CONSTRAINT "tracking_numbers_normalised" CHECK (
        "tracking_number" <> '' AND "tracking_number" !~ '[a-z \t\r\n]');
ALTER TABLE "tracking_events"
    ADD CONSTRAINT "tracking_events_identity_length" CHECK (octet_length("identity") = 32);
ALTER TABLE "status_mappings"
    ADD CONSTRAINT "status_mappings_source_known" CHECK ("source" IN ('17track', 'yanwen', 'plain')),
    ADD CONSTRAINT "status_mappings_folded" CHECK ("provider_status" = lower(btrim("provider_status")));
-- The list of shipments is ordered by how long a shipment has had its status.
CREATE INDEX "tracking_numbers_since_idx" ON "tracking_numbers"((coalesce("status_at", "created_at")) DESC, "tracking_number" DESC);
-- Finds the deliveries of a range of days.
CREATE INDEX "tracking_numbers_delivered_idx" ON "tracking_numbers"("status_at") WHERE "status" = 'delivered';

-- Received requests.
ALTER TABLE "inbound_records"
    ADD CONSTRAINT "inbound_records_replayed" CHECK ("replays" >= 0 AND ("replays" > 0) = ("replayed_at" IS NOT NULL));

-- People, keys and sessions. Hashes are SHA-256, 32 bytes.
ALTER TABLE "users"
    ADD CONSTRAINT "users_email_lower_case" CHECK ("email" = lower("email") AND "email" <> ''),
    ADD CONSTRAINT "users_second_factor" CHECK (
        "totp_secret" IS NOT NULL OR ("totp_enabled_at" IS NULL AND "totp_last_step" IS NULL));
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_method_known" CHECK ("method" IN ('password', 'oidc'));
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_hash_length" CHECK (octet_length("hash") = 32);
ALTER TABLE "personal_tokens"
    ADD CONSTRAINT "personal_tokens_hash_length" CHECK (octet_length("hash") = 32),
    ADD CONSTRAINT "personal_tokens_last_four_length" CHECK (char_length("last_four") = 4);
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_secret_length" CHECK (octet_length("secret_hash") = 32);
ALTER TABLE "oauth_records" ADD CONSTRAINT "oauth_records_id_length" CHECK (octet_length("id_hash") = 32);
ALTER TABLE "api_keys"
    ADD CONSTRAINT "api_keys_hash_length" CHECK (octet_length("hash") = 32),
    ADD CONSTRAINT "api_keys_last_four_length" CHECK (char_length("last_four") = 4),
    ADD CONSTRAINT "api_keys_reply_tokens" CHECK ("reply_tokens_per_day" >= 0),
    ADD CONSTRAINT "api_keys_rotated_from_another" CHECK ("rotated_from_id" <> "id");
ALTER TABLE "api_key_calls"
    ADD CONSTRAINT "api_key_calls_status" CHECK ("status" BETWEEN 100 AND 599),
    ADD CONSTRAINT "api_key_calls_duration" CHECK ("duration_ms" >= 0);
ALTER TABLE "idempotent_requests"
    ADD CONSTRAINT "idempotent_requests_hash_length" CHECK (octet_length("body_hash") = 32),
    ADD CONSTRAINT "idempotent_requests_answer" CHECK (("status" IS NULL) = ("body" IS NULL));
ALTER TABLE "reply_token_days" ADD CONSTRAINT "reply_token_days_counts" CHECK ("used" >= 0 AND "reserved" >= 0);
ALTER TABLE "sign_in_turns" ADD CONSTRAINT "sign_in_turns_tries" CHECK ("tries" >= 0);

-- Prompts and replies. A prompt belongs to a shop or waits under a name, never both; one version at most is published.
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_shop_or_name" CHECK (("shop_id" IS NULL) <> ("shop_name" IS NULL));
ALTER TABLE "prompt_versions"
    ADD CONSTRAINT "prompt_versions_number" CHECK ("version" > 0),
    ADD CONSTRAINT "prompt_versions_published_at" CHECK (("state" = 'draft') = ("published_at" IS NULL));
CREATE UNIQUE INDEX "prompt_versions_one_published" ON "prompt_versions"("prompt_id") WHERE "state" = 'published';
ALTER TABLE "replies"
    ADD CONSTRAINT "replies_outcome" CHECK (
        ("outcome" = 'answered') = ("reply" IS NOT NULL) AND ("outcome" = 'answered') = ("error" IS NULL)),
    ADD CONSTRAINT "replies_counts" CHECK (least("input_tokens", "output_tokens", "duration_ms") >= 0),
    ADD CONSTRAINT "replies_extra_object" CHECK (jsonb_typeof("extra") = 'object'),
    ADD CONSTRAINT "replies_requested_by" CHECK (("kind" = 'request') = ("requested_by" IS NULL)),
    ADD CONSTRAINT "replies_order" CHECK (
        num_nonnulls("shop_id", "order_id") IN (0, 2) AND ("order_id" IS NOT NULL OR "kind" IN ('request', 'trial'))),
    ADD CONSTRAINT "replies_sent" CHECK (
        num_nonnulls("sent_text", "sent_at", "sent_by") IN (0, 3)
        AND ("sent_at" IS NULL OR "outcome" = 'answered' AND "kind" IN ('draft', 'request', 'handwritten'))
        AND ("sent_at" IS NOT NULL OR "kind" <> 'handwritten')),
    ADD CONSTRAINT "replies_language" CHECK (
        ("language" IS NULL) = ("kind" <> 'translation') AND "language" IN ('en', 'zh', 'buyer')),
    ADD CONSTRAINT "replies_sent_text" CHECK (length("sent_text") BETWEEN 1 AND 20000);

-- The audit log only grows.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER audit_log_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Amounts are grouped by it: a text of another shape would be a currency of its own.
ALTER TABLE "shops" ADD CONSTRAINT "shops_currency_shape" CHECK ("currency" ~ '^[A-Z]{3}$');

-- Orders, shops and imports ---------------------------------------------------------------------------------------------

-- A refused import that named no shop of ours has shop 0, since the shop is part of its key; every other shop must exist.
ALTER TABLE "imports" ADD COLUMN "known_shop_id" integer GENERATED ALWAYS AS (nullif("shop_id", 0)) STORED;
ALTER TABLE "imports" ADD CONSTRAINT "imports_known_shop_id_fkey"
    FOREIGN KEY ("known_shop_id") REFERENCES "shops"("id") ON DELETE RESTRICT;
CREATE INDEX "imports_known_shop_id_idx" ON "imports"("known_shop_id");
CREATE INDEX "imports_row_history_idx" ON "imports"("row_history", "created_at") WHERE "row_history" <> 'deleted';
ALTER TABLE "imports" ADD CONSTRAINT "imports_shop"
    CHECK ("shop_id" > 0 OR "shop_id" = 0 AND "outcome" IN ('rejected', 'failed'));
ALTER TABLE "imports" ADD CONSTRAINT "imports_counts"
    CHECK (least("rows", "new_orders", "updated_orders", "changed_orders", "items_inserted", "items_changed", "warnings",
                 "errors", "held_rows", "duration_ms") >= 0 AND "changed_orders" <= "updated_orders");
ALTER TABLE "imports" ADD CONSTRAINT "imports_content_hash" CHECK ("content_hash" ~ '^[0-9a-f]{64}$');
ALTER TABLE "imports" ADD CONSTRAINT "imports_undone" CHECK (("outcome" = 'undone') = ("undone_at" IS NOT NULL));

ALTER TABLE "import_issues" ADD CONSTRAINT "import_issues_position" CHECK ("position" >= 0 AND "row" >= 0);
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_objects"
    CHECK (jsonb_typeof("before") = 'object' AND jsonb_typeof("after") = 'object');

ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_state" CHECK ("state" IN ('ready', 'running', 'done', 'failed'));
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_progress" CHECK ("done" BETWEEN 0 AND "total");
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_import" CHECK (("state" = 'done') = ("import_id" IS NOT NULL));
ALTER TABLE "import_drafts" ADD CONSTRAINT "import_drafts_hashes"
    CHECK ("content_hash" ~ '^[0-9a-f]{64}$' AND "fingerprint" ~ '^[0-9a-f]{64}$');

ALTER TABLE "orders" ADD CONSTRAINT "orders_receipt_id" CHECK ("receipt_id" <> '');
-- Finds a buyer's other orders. A buyer's text may be longer than an entry of an index.
CREATE INDEX "orders_buyer_idx" ON "orders"("shop_id", left("buyer", 200)) WHERE "buyer" IS NOT NULL;
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_extra" CHECK (jsonb_typeof("extra") = 'object');
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_quantity" CHECK ("quantity" >= 0);
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_text" CHECK (length("text") BETWEEN 1 AND 5000);
-- In capitals and without spaces, as numbers are compared (docs/orders.md).
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_tracking_number"
    CHECK ("tracking_number" <> '' AND "tracking_number" !~ '[a-z[:space:]]');
ALTER TABLE "order_days" ADD CONSTRAINT "order_days_currency" CHECK ("currency" ~ '^([A-Z]{3})?$');
ALTER TABLE "order_days" ADD CONSTRAINT "order_days_counts"
    CHECK ("orders" > 0 AND "items" >= 0 AND "quantity" >= 0 AND ("currency" <> '' OR "revenue" = 0));

-- PostgreSQL keeps no statistics of which shops have how many rows: it would expect a single row of a shop that came after the last
-- ANALYZE, and read the whole shop for each of its orders. Without them, it expects the same share of a table for every shop.
ALTER TABLE "orders" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "order_items" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "order_notes" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "order_search" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "order_days" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "shipments" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "queue_states" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "imports" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "import_changes" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "import_issues" ALTER COLUMN "shop_id" SET STATISTICS 0;
ALTER TABLE "import_drafts" ALTER COLUMN "shop_id" SET STATISTICS 0;

ALTER TABLE "export_templates" ADD CONSTRAINT "export_templates_format" CHECK ("format" IN ('csv', 'xlsx'));
ALTER TABLE "export_templates" ADD CONSTRAINT "export_templates_columns"
    CHECK (jsonb_typeof("columns") = 'array' AND jsonb_array_length("columns") > 0 AND jsonb_typeof("filter") = 'object');

ALTER TABLE "shops" ADD CONSTRAINT "shops_name" CHECK (length("name") BETWEEN 1 AND 200 AND "name" = btrim("name"));
ALTER TABLE "countries" ADD CONSTRAINT "countries_code" CHECK ("code" ~ '^[A-Z]{2}$');
ALTER TABLE "country_aliases" ADD CONSTRAINT "country_aliases_folded" CHECK ("folded_alias" <> '');

-- Work queues (docs/queues.md) --------------------------------------------------------------------------------------------

ALTER TABLE "queue_states" ADD CONSTRAINT "queue_states_one_state"
    CHECK (num_nonnulls("handled_at", "snoozed_until") = num_nonnulls("seen_at"));

ALTER TABLE "unmatched_numbers" ADD CONSTRAINT "unmatched_numbers_one_state"
    CHECK (num_nonnulls("handled_at", "snoozed_until") = num_nonnulls("seen_at"));
ALTER TABLE "unmatched_numbers" ADD CONSTRAINT "unmatched_numbers_note" CHECK (length("note") BETWEEN 1 AND 5000);
CREATE INDEX "unmatched_numbers_since_idx" ON "unmatched_numbers"("since") WHERE "matched_at" IS NULL;

-- Replies that somebody should look at: drafts that were not sent, and replies with warnings that the API wrote.
CREATE VIEW "replies_to_review" AS
SELECT * FROM "replies"
 WHERE "order_id" IS NOT NULL AND "reply" IS NOT NULL AND "sent_at" IS NULL
   AND ("kind" = 'draft' OR "kind" = 'request' AND "warnings" <> '[]');
CREATE INDEX "replies_to_review_idx" ON "replies"("shop_id", "order_id", "created_at")
 WHERE "order_id" IS NOT NULL AND "reply" IS NOT NULL AND "sent_at" IS NULL
   AND ("kind" = 'draft' OR "kind" = 'request' AND "warnings" <> '[]');

-- Items as people read them. `choices` is what the buyer chose, a line each: the variations, and what they wrote to personalize the
-- item if the file had a column for that. An item is blank if it comes from a row that only brought a tracking number.
CREATE VIEW "described_items" AS
SELECT i.*,
       nullif(concat_ws(E'\n', nullif(i."variations", ''),
                        (SELECT string_agg(x.value, E'\n' ORDER BY x.key) FROM jsonb_each_text(i."extra") x
                          WHERE x.key ~* 'personali[sz]ation' AND x.value <> '')), '') AS "choices",
       num_nonnulls(i."sku", i."title", i."listing_id", i."variations", i."quantity", i."price", i."item_total") = 0 AS "is_blank"
  FROM "order_items" i;

-- The only definition of what is in each queue; the overview, the navigation and the pages count by it. `since` is null where it
-- follows from a shipment. All columns of the order are there, so that the list of orders reads a queue without joining the orders
-- again. LATE_DAYS and NOT_SCANNED_DAYS of src/server/queues/queue.ts name the days to readers.
CREATE VIEW "queue_entries" AS
SELECT o.*, o.id AS order_id, 'to_ship'::queue AS queue, coalesce(o.sale_date, o.created_at) AS since
  FROM orders o WHERE o.status = 'paid'
 UNION ALL
SELECT o.*, o.id, 'late', o.sale_date FROM orders o WHERE o.status = 'paid' AND o.sale_date < now() - interval '3 days'
 UNION ALL
SELECT o.*, o.id, 'exception', NULL FROM orders o WHERE o.tracking_status = 'exception' AND o.status <> 'cancelled'
 UNION ALL
SELECT o.*, o.id, 'delivery_failed', NULL
  FROM orders o WHERE o.tracking_status = 'delivery_failure' AND o.status <> 'cancelled'
 UNION ALL
SELECT o.*, o.id, 'not_scanned', NULL
  FROM orders o
 WHERE o.tracking_status IN ('not_found', 'expired', 'info_received') AND o.status IN ('pending', 'paid', 'shipped')
   AND EXISTS (SELECT FROM shipments s JOIN tracking_numbers w ON w.tracking_number = s.tracking_number
                WHERE s.shop_id = o.shop_id AND s.order_id = o.id AND w.status = o.tracking_status
                  AND coalesce(w.status_at, s.created_at) < now() - interval '5 days')
 UNION ALL
SELECT o.*, o.id, 'to_review', r.written_at
  FROM (SELECT shop_id, order_id, max(created_at) AS written_at FROM replies_to_review GROUP BY 1, 2) r
  JOIN orders o ON o.shop_id = r.shop_id AND o.id = r.order_id
 WHERE NOT EXISTS (SELECT FROM replies s
                    WHERE s.shop_id = r.shop_id AND s.order_id = r.order_id AND s.sent_at > r.written_at);

-- Entries with what people did with them. One that was handled or snoozed opens again with the first news: a change of the order
-- or its items, a new tracking number, an observation. For a reply to review, only another one is news. The subqueries run only
-- for entries that were handled or snoozed.
CREATE VIEW "queue_work" AS
SELECT e.*, s.assigned_to, s.handled_at, s.handled_by, s.snoozed_until,
       CASE WHEN s.seen_at IS NULL OR s.snoozed_until <= now() THEN 'open'
            WHEN e.queue = 'to_review' THEN
              CASE WHEN e.since > s.seen_at THEN 'open' WHEN s.handled_at IS NULL THEN 'snoozed' ELSE 'handled' END
            WHEN e.updated_at > s.seen_at
                 OR EXISTS (SELECT FROM order_items i
                             WHERE i.shop_id = e.shop_id AND i.order_id = e.order_id AND i.updated_at > s.seen_at)
                 OR EXISTS (SELECT FROM shipments p LEFT JOIN tracking_events t ON t.tracking_number = p.tracking_number
                             WHERE p.shop_id = e.shop_id AND p.order_id = e.order_id
                               AND greatest(p.updated_at, t.received_at) > s.seen_at) THEN 'open'
            WHEN s.handled_at IS NULL THEN 'snoozed' ELSE 'handled' END AS entry_state
  FROM queue_entries e
  LEFT JOIN queue_states s ON s.shop_id = e.shop_id AND s.order_id = e.order_id AND s.queue = e.queue;

-- The entries of the queue "Unmatched callbacks", which belong to no shop, in the same way.
CREATE VIEW "unmatched_work" AS
SELECT u.*, CASE WHEN u.seen_at IS NULL OR u.snoozed_until <= now() OR u.latest_at > u.seen_at THEN 'open'
                 WHEN u.handled_at IS NULL THEN 'snoozed' ELSE 'handled' END AS entry_state
  FROM unmatched_numbers u WHERE u.matched_at IS NULL;

-- Notifications (docs/notifications.md) -----------------------------------------------------------------------------------

-- E-mail goes to a person's own address, a webhook has an address of its own.
ALTER TABLE "notification_channels"
    ADD CONSTRAINT "notification_channels_vendor" CHECK (
        ("vendor" = 'email') = ("url" IS NULL) AND ("vendor" <> 'email' OR "user_id" IS NOT NULL)
        AND ("vendor" = 'dingtalk' OR "signing_key" IS NULL)),
    ADD CONSTRAINT "notification_channels_send_at" CHECK ("send_at" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    ADD CONSTRAINT "notification_channels_kinds" CHECK (NOT 'test' = ANY("kinds"));
CREATE UNIQUE INDEX "notification_channels_one_email" ON "notification_channels"("user_id") WHERE "vendor" = 'email';
ALTER TABLE "notifications"
    ADD CONSTRAINT "notifications_attempts" CHECK ("attempts" >= 0),
    ADD CONSTRAINT "notifications_sent" CHECK (("state" = 'sent') = ("sent_at" IS NOT NULL));
