// Written by `npm run sql` from export.sql: change that file instead.
import { Statement } from '../db/statement';

export interface ExportShopParams {
  shopId: number;
}

export interface ExportShopRow {
  row: string;
}

export const exportShop = new Statement<ExportShopParams, ExportShopRow>('export.exportShop', `
SELECT to_jsonb(s)::text AS "row" FROM shops s WHERE id = $1`, ["shopId"]);

export interface ExportFormerNamesParams {
  shopId: number;
}

export interface ExportFormerNamesRow {
  row: string;
}

export const exportFormerNames = new Statement<ExportFormerNamesParams, ExportFormerNamesRow>('export.exportFormerNames', `
SELECT to_jsonb(f)::text AS "row" FROM shop_former_names f WHERE shop_id = $1 ORDER BY created_at, name`, ["shopId"]);

export interface ExportPromptsParams {
  shopId: number;
}

export interface ExportPromptsRow {
  row: string;
}

export const exportPrompts = new Statement<ExportPromptsParams, ExportPromptsRow>('export.exportPrompts', `
SELECT to_jsonb(p)::text AS "row" FROM prompts p WHERE shop_id = $1`, ["shopId"]);

export interface ExportPromptVersionsParams {
  shopId: number;
}

export interface ExportPromptVersionsRow {
  row: string;
}

export const exportPromptVersions = new Statement<ExportPromptVersionsParams, ExportPromptVersionsRow>('export.exportPromptVersions', `
SELECT to_jsonb(v)::text AS "row" FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id WHERE p.shop_id = $1 ORDER BY v.id`, ["shopId"]);

export interface ExportOrdersParams {
  shopId: number;
}

export interface ExportOrdersRow {
  row: string;
}

export const exportOrders = new Statement<ExportOrdersParams, ExportOrdersRow>('export.exportOrders', `
SELECT to_jsonb(o)::text AS "row" FROM orders o WHERE shop_id = $1 ORDER BY id`, ["shopId"]);

export interface ExportItemsParams {
  shopId: number;
}

export interface ExportItemsRow {
  row: string;
}

export const exportItems = new Statement<ExportItemsParams, ExportItemsRow>('export.exportItems', `
SELECT to_jsonb(i)::text AS "row" FROM order_items i WHERE shop_id = $1 ORDER BY id`, ["shopId"]);

export interface ExportNotesParams {
  shopId: number;
}

export interface ExportNotesRow {
  row: string;
}

export const exportNotes = new Statement<ExportNotesParams, ExportNotesRow>('export.exportNotes', `
SELECT to_jsonb(n)::text AS "row" FROM order_notes n WHERE shop_id = $1 ORDER BY id`, ["shopId"]);

export interface ExportQueueStatesParams {
  shopId: number;
}

export interface ExportQueueStatesRow {
  row: string;
}

export const exportQueueStates = new Statement<ExportQueueStatesParams, ExportQueueStatesRow>('export.exportQueueStates', `
SELECT to_jsonb(q)::text AS "row" FROM queue_states q WHERE shop_id = $1 ORDER BY order_id, queue`, ["shopId"]);

export interface ExportShipmentsParams {
  shopId: number;
}

export interface ExportShipmentsRow {
  row: string;
}

export const exportShipments = new Statement<ExportShipmentsParams, ExportShipmentsRow>('export.exportShipments', `
SELECT to_jsonb(s)::text AS "row" FROM shipments s WHERE shop_id = $1 ORDER BY id`, ["shopId"]);

export interface ExportTrackingNumbersParams {
  shopId: number;
}

export interface ExportTrackingNumbersRow {
  row: string;
}

export const exportTrackingNumbers = new Statement<ExportTrackingNumbersParams, ExportTrackingNumbersRow>('export.exportTrackingNumbers', `
SELECT to_jsonb(t)::text AS "row" FROM tracking_numbers t
 WHERE tracking_number IN (SELECT n.tracking_number FROM tracking_number_shops n WHERE n.shop_id = $1) ORDER BY tracking_number`, ["shopId"]);

export interface ExportTrackingEventsParams {
  shopId: number;
}

export interface ExportTrackingEventsRow {
  row: string;
}

export const exportTrackingEvents = new Statement<ExportTrackingEventsParams, ExportTrackingEventsRow>('export.exportTrackingEvents', `
SELECT to_jsonb(e)::text AS "row" FROM tracking_events e
 WHERE tracking_number IN (SELECT n.tracking_number FROM tracking_number_shops n WHERE n.shop_id = $1)
 ORDER BY tracking_number, id`, ["shopId"]);

export interface ExportImportsParams {
  shopId: number;
}

export interface ExportImportsRow {
  row: string;
}

export const exportImports = new Statement<ExportImportsParams, ExportImportsRow>('export.exportImports', `
SELECT to_jsonb(m)::text AS "row" FROM imports m WHERE shop_id = $1 ORDER BY id`, ["shopId"]);

export interface ExportIssuesParams {
  shopId: number;
}

export interface ExportIssuesRow {
  row: string;
}

export const exportIssues = new Statement<ExportIssuesParams, ExportIssuesRow>('export.exportIssues', `
SELECT to_jsonb(i)::text AS "row" FROM import_issues i WHERE shop_id = $1 ORDER BY import_id, position`, ["shopId"]);

export interface ExportChangesParams {
  shopId: number;
}

export interface ExportChangesRow {
  row: string;
}

export const exportChanges = new Statement<ExportChangesParams, ExportChangesRow>('export.exportChanges', `
SELECT to_jsonb(c)::text AS "row" FROM import_changes c WHERE shop_id = $1 ORDER BY id`, ["shopId"]);

export interface ExportRepliesParams {
  shopId: number;
}

export interface ExportRepliesRow {
  row: string;
}

export const exportReplies = new Statement<ExportRepliesParams, ExportRepliesRow>('export.exportReplies', `
-- Including those to requests that named the shop but no stored order.
SELECT to_jsonb(r)::text AS "row" FROM replies r
 WHERE shop_id = $1 OR shop_id IS NULL AND shop_name IN (
         SELECT name FROM shops WHERE id = $1 UNION ALL SELECT name FROM shop_former_names WHERE shop_id = $1)
 ORDER BY id`, ["shopId"]);

export interface ExportShopDaysParams {
  shopId: number;
}

export interface ExportShopDaysRow {
  row: string;
}

export const exportShopDays = new Statement<ExportShopDaysParams, ExportShopDaysRow>('export.exportShopDays', `
SELECT to_jsonb(d)::text AS "row" FROM shop_daily_statistics d
 WHERE shop_id = (SELECT s.shop_id FROM shops s WHERE s.id = $1) ORDER BY date`, ["shopId"]);

export interface ExportListingDaysParams {
  shopId: number;
}

export interface ExportListingDaysRow {
  row: string;
}

export const exportListingDays = new Statement<ExportListingDaysParams, ExportListingDaysRow>('export.exportListingDays', `
SELECT to_jsonb(d)::text AS "row" FROM product_daily_statistics d
 WHERE shop_id = (SELECT s.shop_id FROM shops s WHERE s.id = $1) ORDER BY date, listing_id`, ["shopId"]);

export interface ExportRestatementsParams {
  shopId: number;
}

export interface ExportRestatementsRow {
  row: string;
}

export const exportRestatements = new Statement<ExportRestatementsParams, ExportRestatementsRow>('export.exportRestatements', `
SELECT to_jsonb(h)::text AS "row" FROM statistic_restatements h
 WHERE shop_id = (SELECT s.shop_id FROM shops s WHERE s.id = $1) ORDER BY id`, ["shopId"]);
