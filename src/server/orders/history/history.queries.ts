// Written by `npm run sql` from history.sql: change that file instead.
import { Statement } from '../../db/statement';

export type changed_record = 'item' | 'order' | 'shipment';
export type import_outcome = 'failed' | 'rejected' | 'running' | 'succeeded' | 'undone';
export type import_source = 'api' | 'command' | 'spreadsheet';
export type issue_severity = 'error' | 'warning';
export type order_status = 'cancelled' | 'delivered' | 'paid' | 'pending' | 'shipped';
export type DateOrString = Date | string;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;

export interface FindShopOfImportParams {
  importId: NumberOrString;
}

export interface FindShopOfImportRow {
  shop_id: number;
}

export const findShopOfImport = new Statement<FindShopOfImportParams, FindShopOfImportRow>('history.findShopOfImport', `
-- Across all shops: the shop of an import.
SELECT shop_id FROM imports WHERE id = $1`, ["importId"]);

export interface BeginImportParams {
  actor: string;
  apiKeyId: number | null;
  contentHash: string;
  durationMs: number;
  errors: number;
  failure: Json | Uint8Array | null;
  fileName: string | null;
  outcome: import_outcome;
  requestId: string | null;
  rows: number;
  shopId: number | null;
  source: import_source;
  userId: number | null;
}

export interface BeginImportRow {
  id: string;
}

export const beginImport = new Statement<BeginImportParams, BeginImportRow>('history.beginImport', `
-- The import's row, written first so that its records can refer to it. Shop 0 means that the request named no existing shop.
-- Returns no row if the deletion of the shop began while the import waited for it.
INSERT INTO imports (shop_id, source, outcome, actor, api_key_id, user_id, request_id, file_name, content_hash, rows,
                     errors, failure, duration_ms)
SELECT coalesce($1::int, 0), $2::import_source, $3::import_outcome, $4, $5::int, $6::int,
       $7, $8, $9, $10::int, $11::int, $12::jsonb, $13::int
 WHERE coalesce($1::int, 0) = 0 OR EXISTS (SELECT FROM shops WHERE id = $1 AND deleting_at IS NULL)
RETURNING id`, ["shopId","source","outcome","actor","apiKeyId","userId","requestId","fileName","contentHash","rows","errors","failure","durationMs"]);

export interface AddIssuesParams {
  importId: NumberOrString | null;
  issues: Json | Uint8Array | null;
  shopId: number | null;
}

export const addIssues = new Statement<AddIssuesParams, never>('history.addIssues', `
INSERT INTO import_issues (shop_id, import_id, position, severity, "row", path, reason, "values")
SELECT coalesce($1::int, 0), $2::bigint, i.position, i.severity, i."row", i.path, i.reason, i."values"
  FROM json_to_recordset($3::json)
       AS i(position integer, severity issue_severity, "row" integer, path text, reason text, "values" jsonb)`, ["shopId","importId","issues"]);

export interface FinishImportParams {
  changedOrders: number;
  durationMs: number;
  errors: number;
  heldRows: number;
  importId: NumberOrString;
  itemsChanged: number;
  itemsInserted: number;
  newOrders: number;
  shopId: number;
  updatedOrders: number;
  warnings: number;
}

export const finishImport = new Statement<FinishImportParams, never>('history.finishImport', `
UPDATE imports
   SET outcome = 'succeeded', new_orders = $1, updated_orders = $2, changed_orders = $3,
       items_inserted = $4, items_changed = $5, warnings = $6, duration_ms = $7,
       held_rows = $8, errors = $9
 WHERE shop_id = $10 AND id = $11`, ["newOrders","updatedOrders","changedOrders","itemsInserted","itemsChanged","warnings","durationMs","heldRows","errors","shopId","importId"]);

export interface ListIssuesParams {
  importId: NumberOrString;
  limit: NumberOrString;
  offset: NumberOrString;
  shopId: number;
}

export interface ListIssuesRow {
  path: string;
  position: number;
  reason: string;
  row: number | null;
  severity: issue_severity;
  values: Json;
}

export const listIssues = new Statement<ListIssuesParams, ListIssuesRow>('history.listIssues', `
SELECT position, severity, "row", path, reason, "values" FROM import_issues
 WHERE shop_id = $1 AND import_id = $2
 ORDER BY position LIMIT $3 OFFSET $4`, ["shopId","importId","limit","offset"]);

export interface CountIssuesParams {
  importId: NumberOrString;
  shopId: number;
}

export interface CountIssuesRow {
  total: number;
}

export const countIssues = new Statement<CountIssuesParams, CountIssuesRow>('history.countIssues', `
SELECT count(*)::int AS "total" FROM import_issues WHERE shop_id = $1 AND import_id = $2`, ["shopId","importId"]);

export interface ListCreatedOrdersParams {
  importId: NumberOrString;
  limit: NumberOrString;
  offset: NumberOrString;
  shopId: number;
}

export interface ListCreatedOrdersRow {
  buyer: string | null;
  name: string | null;
  order_id: string;
  receipt_id: string;
  status: order_status;
}

export const listCreatedOrders = new Statement<ListCreatedOrdersParams, ListCreatedOrdersRow>('history.listCreatedOrders', `
SELECT id::text AS "order_id", receipt_id, status, buyer, name FROM orders
 WHERE shop_id = $1 AND import_id = $2
 ORDER BY id LIMIT $3 OFFSET $4`, ["shopId","importId","limit","offset"]);

export interface CountCreatedOrdersParams {
  importId: NumberOrString;
  shopId: number;
}

export interface CountCreatedOrdersRow {
  total: number;
}

export const countCreatedOrders = new Statement<CountCreatedOrdersParams, CountCreatedOrdersRow>('history.countCreatedOrders', `
SELECT count(*)::int AS "total" FROM orders WHERE shop_id = $1 AND import_id = $2`, ["shopId","importId"]);

export interface ListChangesParams {
  importId: NumberOrString;
  limit: NumberOrString;
  offset: NumberOrString;
  shopId: number;
}

export interface ListChangesRow {
  after: Json;
  before: Json;
  id: string;
  order_id: string;
  receipt_id: string | null;
  record: changed_record;
  record_id: string;
}

export const listChanges = new Statement<ListChangesParams, ListChangesRow>('history.listChanges', `
SELECT c.id::text AS "id", c.record, c.record_id::text AS "record_id", c.order_id::text AS "order_id",
       o.receipt_id AS "receipt_id", c.before, c.after
  FROM import_changes c LEFT JOIN orders o ON o.shop_id = c.shop_id AND o.id = c.order_id
 WHERE c.shop_id = $1 AND c.import_id = $2
 ORDER BY c.id LIMIT $3 OFFSET $4`, ["shopId","importId","limit","offset"]);

export interface CountChangesParams {
  importId: NumberOrString;
  shopId: number;
}

export interface CountChangesRow {
  total: number;
}

export const countChanges = new Statement<CountChangesParams, CountChangesRow>('history.countChanges', `
SELECT count(*)::int AS "total" FROM import_changes WHERE shop_id = $1 AND import_id = $2`, ["shopId","importId"]);

export interface ReadImportParams {
  importId: NumberOrString;
}

export interface ReadImportRow {
  account: string | null;
  account_id: number | null;
  actor: string;
  api_key_id: number | null;
  changed_orders: number;
  content_hash: string;
  created_at: Date;
  duration_ms: number;
  errors: number;
  failure: Json | null;
  file_name: string | null;
  has_row_history: boolean;
  held_rows: number;
  id: string;
  items_changed: number;
  items_inserted: number;
  new_orders: number;
  outcome: import_outcome;
  request_id: string | null;
  rows: number;
  shop_id: number;
  source: import_source;
  undone_at: Date | null;
  undone_by: string | null;
  updated_orders: number;
  user_id: number | null;
  warnings: number;
}

export const readImport = new Statement<ReadImportParams, ReadImportRow>('history.readImport', `
-- The import's shop is not known yet.
SELECT m.id::text AS "id", m.shop_id, m.known_shop_id AS account_id, s.name AS "account", m.source, m.outcome, m.actor,
       m.user_id, m.api_key_id, m.request_id, m.file_name, m.content_hash, m.rows, m.new_orders, m.updated_orders,
       m.changed_orders, m.items_inserted, m.items_changed, m.warnings, m.errors, m.held_rows, m.failure, m.duration_ms,
       m.created_at, m.undone_at, u.email AS "undone_by",
       m.row_history = 'kept' AS "has_row_history"
  FROM imports m LEFT JOIN shops s ON s.id = m.known_shop_id LEFT JOIN users u ON u.id = m.undone_by_user_id
 WHERE m.id = $1`, ["importId"]);

export interface ListImportsParams {
  actor: string | null;
  before: NumberOrString | null;
  fileName: string | null;
  from: DateOrString | null;
  limit: NumberOrString;
  outcome: import_outcome | null;
  shopId: number | null;
  source: import_source | null;
  until: DateOrString | null;
  warnings: boolean | null;
}

export interface ListImportsRow {
  account: string | null;
  account_id: number | null;
  actor: string;
  api_key_id: number | null;
  changed_orders: number;
  content_hash: string;
  created_at: Date;
  duration_ms: number;
  errors: number;
  failure: Json | null;
  file_name: string | null;
  has_row_history: boolean;
  held_rows: number;
  id: string;
  items_changed: number;
  items_inserted: number;
  new_orders: number;
  outcome: import_outcome;
  request_id: string | null;
  rows: number;
  source: import_source;
  undone_at: Date | null;
  undone_by: string | null;
  updated_orders: number;
  user_id: number | null;
  warnings: number;
}

export const listImports = new Statement<ListImportsParams, ListImportsRow>('history.listImports', `
-- Imports of all shops or of one, newest first. A filter that is null is not applied.
SELECT m.id::text AS "id", m.known_shop_id AS account_id, s.name AS "account", m.source, m.outcome, m.actor,
       m.user_id, m.api_key_id, m.request_id, m.file_name, m.content_hash, m.rows, m.new_orders, m.updated_orders,
       m.changed_orders, m.items_inserted, m.items_changed, m.warnings, m.errors, m.held_rows, m.failure, m.duration_ms,
       m.created_at, m.undone_at, u.email AS "undone_by",
       m.row_history = 'kept' AS "has_row_history"
  FROM imports m LEFT JOIN shops s ON s.id = m.known_shop_id LEFT JOIN users u ON u.id = m.undone_by_user_id
 WHERE ($1::bigint IS NULL OR m.id < $1)
   AND ($2::int IS NULL OR m.shop_id = $2)
   AND ($3::import_source IS NULL OR m.source = $3)
   AND ($4::import_outcome IS NULL OR m.outcome = $4)
   AND ($5::boolean IS NULL OR (m.warnings > 0 OR m.held_rows > 0) = $5)
   AND ($6::text IS NULL OR strpos(lower(m.actor), lower($6)) > 0)
   AND ($7::text IS NULL OR strpos(lower(m.file_name), lower($7)) > 0)
   AND ($8::timestamptz IS NULL OR m.created_at >= $8)
   AND ($9::timestamptz IS NULL OR m.created_at < $9)
 ORDER BY m.id DESC LIMIT $10`, ["before","shopId","source","outcome","warnings","actor","fileName","from","until","limit"]);
