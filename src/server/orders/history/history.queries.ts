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
