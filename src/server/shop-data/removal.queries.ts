// Written by `npm run sql` from removal.sql: change that file instead.
import { Statement } from '../db/statement';

export type DateOrString = Date | string;
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type stringArray = (string)[];

export interface MarkShopParams {
  now: DateOrString;
  shopId: number;
}

export const markShop = new Statement<MarkShopParams, never>('removal.markShop', `
-- No import of the shop can begin after this; those that have begun hold the shop's lock.
UPDATE shops SET deleting_at = now(), archived_at = coalesce(archived_at, $1), updated_at = now() WHERE id = $2`, ["now","shopId"]);

export interface ReadShopParams {
  shopId: number;
}

export interface ReadShopRow {
  deleting_at: Date | null;
  name: string;
  orders: number;
  shop_id: string | null;
}

export const readShop = new Statement<ReadShopParams, ReadShopRow>('removal.readShop', `
SELECT s.name, s.shop_id, s.deleting_at, (SELECT count(*)::int FROM orders o WHERE o.shop_id = $1) AS "orders"
  FROM shops s WHERE s.id = $1`, ["shopId"]);

export interface ListMarkedRow {
  id: number;
  market_id: string | null;
}

export const listMarked = new Statement<undefined, ListMarkedRow>('removal.listMarked', `
SELECT id, shop_id AS market_id FROM shops WHERE deleting_at IS NOT NULL ORDER BY id`);

export interface ListOrdersParams {
  limit: NumberOrString;
  shopId: number;
}

export interface ListOrdersRow {
  id: string;
}

export const listOrders = new Statement<ListOrdersParams, ListOrdersRow>('removal.listOrders', `
SELECT id::text AS "id" FROM orders WHERE shop_id = $1 ORDER BY orders.id LIMIT $2`, ["shopId","limit"]);

export interface ListNumbersParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export interface ListNumbersRow {
  tracking_number: string;
}

export const listNumbers = new Statement<ListNumbersParams, ListNumbersRow>('removal.listNumbers', `
SELECT DISTINCT tracking_number FROM shipments WHERE shop_id = $1 AND order_id = ANY($2::bigint[])`, ["shopId","orderIds"]);

export interface DeleteShipmentsParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export const deleteShipments = new Statement<DeleteShipmentsParams, never>('removal.deleteShipments', `
DELETE FROM shipments WHERE shop_id = $1 AND order_id = ANY($2::bigint[])`, ["shopId","orderIds"]);

export interface DeleteItemsParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export const deleteItems = new Statement<DeleteItemsParams, never>('removal.deleteItems', `
DELETE FROM order_items WHERE shop_id = $1 AND order_id = ANY($2::bigint[])`, ["shopId","orderIds"]);

export interface DeleteDocumentsParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export const deleteDocuments = new Statement<DeleteDocumentsParams, never>('removal.deleteDocuments', `
DELETE FROM order_search WHERE shop_id = $1 AND order_id = ANY($2::bigint[])`, ["shopId","orderIds"]);

export interface DeleteOrdersParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export const deleteOrders = new Statement<DeleteOrdersParams, never>('removal.deleteOrders', `
DELETE FROM orders WHERE shop_id = $1 AND id = ANY($2::bigint[])`, ["shopId","orderIds"]);

export interface DeleteUnusedNumbersParams {
  trackingNumbers: Readonly<stringArray>;
}

export const deleteUnusedNumbers = new Statement<DeleteUnusedNumbersParams, never>('removal.deleteUnusedNumbers', `
-- With their events, unless another shop has shipments with them.
DELETE FROM tracking_numbers t
 WHERE t.tracking_number = ANY($1::text[])
   AND NOT EXISTS (SELECT FROM tracking_number_shops n WHERE n.tracking_number = t.tracking_number)`, ["trackingNumbers"]);

export interface DeleteChangesParams {
  limit: NumberOrString;
  shopId: number;
}

export interface DeleteChangesRow {
  count: number;
}

export const deleteChanges = new Statement<DeleteChangesParams, DeleteChangesRow>('removal.deleteChanges', `
WITH deleted AS (
  DELETE FROM import_changes
   WHERE shop_id = $1 AND id IN (SELECT id FROM import_changes WHERE shop_id = $1 LIMIT $2) RETURNING id
)
SELECT count(*)::int AS "count" FROM deleted`, ["shopId","limit"]);

export interface DeleteIssuesParams {
  limit: NumberOrString;
  shopId: number;
}

export interface DeleteIssuesRow {
  count: number;
}

export const deleteIssues = new Statement<DeleteIssuesParams, DeleteIssuesRow>('removal.deleteIssues', `
WITH deleted AS (
  DELETE FROM import_issues
   WHERE shop_id = $1
     AND (import_id, position) IN (SELECT import_id, position FROM import_issues WHERE shop_id = $1 LIMIT $2)
  RETURNING position
)
SELECT count(*)::int AS "count" FROM deleted`, ["shopId","limit"]);

export interface DeleteDraftsParams {
  limit: NumberOrString;
  shopId: number;
}

export interface DeleteDraftsRow {
  count: number;
}

export const deleteDrafts = new Statement<DeleteDraftsParams, DeleteDraftsRow>('removal.deleteDrafts', `
WITH deleted AS (
  DELETE FROM import_drafts
   WHERE shop_id = $1 AND id IN (SELECT id FROM import_drafts WHERE shop_id = $1 LIMIT $2) RETURNING id
)
SELECT count(*)::int AS "count" FROM deleted`, ["shopId","limit"]);

export interface DeleteImportsParams {
  limit: NumberOrString;
  shopId: number;
}

export interface DeleteImportsRow {
  count: number;
}

export const deleteImports = new Statement<DeleteImportsParams, DeleteImportsRow>('removal.deleteImports', `
WITH deleted AS (
  DELETE FROM imports
   WHERE shop_id = $1 AND id IN (SELECT id FROM imports WHERE shop_id = $1 LIMIT $2) RETURNING id
)
SELECT count(*)::int AS "count" FROM deleted`, ["shopId","limit"]);

export interface DeleteRepliesParams {
  limit: NumberOrString;
  shopId: number;
}

export interface DeleteRepliesRow {
  count: number;
}

export const deleteReplies = new Statement<DeleteRepliesParams, DeleteRepliesRow>('removal.deleteReplies', `
-- Including those to requests that named the shop but no stored order.
WITH deleted AS (
  DELETE FROM replies WHERE id IN (
    SELECT id FROM replies
     WHERE shop_id = $1 OR shop_id IS NULL AND shop_name IN (
             SELECT name FROM shops WHERE id = $1 UNION ALL SELECT name FROM shop_former_names WHERE shop_id = $1)
     LIMIT $2)
  RETURNING id
)
SELECT count(*)::int AS "count" FROM deleted`, ["shopId","limit"]);

export interface DeleteShopDaysParams {
  limit: NumberOrString;
  marketplaceShopId: string;
}

export interface DeleteShopDaysRow {
  count: number;
}

export const deleteShopDays = new Statement<DeleteShopDaysParams, DeleteShopDaysRow>('removal.deleteShopDays', `
WITH deleted AS (
  DELETE FROM shop_daily_statistics
   WHERE shop_id = $1 AND date IN (SELECT date FROM shop_daily_statistics WHERE shop_id = $1 LIMIT $2)
  RETURNING date
)
SELECT count(*)::int AS "count" FROM deleted`, ["marketplaceShopId","limit"]);

export interface DeleteListingDaysParams {
  limit: NumberOrString;
  marketplaceShopId: string;
}

export interface DeleteListingDaysRow {
  count: number;
}

export const deleteListingDays = new Statement<DeleteListingDaysParams, DeleteListingDaysRow>('removal.deleteListingDays', `
WITH deleted AS (
  DELETE FROM product_daily_statistics
   WHERE shop_id = $1
     AND (date, listing_id) IN (SELECT date, listing_id FROM product_daily_statistics WHERE shop_id = $1 LIMIT $2)
  RETURNING date
)
SELECT count(*)::int AS "count" FROM deleted`, ["marketplaceShopId","limit"]);

export interface DeleteRestatementsParams {
  limit: NumberOrString;
  marketplaceShopId: string;
}

export interface DeleteRestatementsRow {
  count: number;
}

export const deleteRestatements = new Statement<DeleteRestatementsParams, DeleteRestatementsRow>('removal.deleteRestatements', `
WITH deleted AS (
  DELETE FROM statistic_restatements
   WHERE shop_id = $1 AND id IN (SELECT id FROM statistic_restatements WHERE shop_id = $1 LIMIT $2)
  RETURNING id
)
SELECT count(*)::int AS "count" FROM deleted`, ["marketplaceShopId","limit"]);

export interface RemoveFromChannelsParams {
  shopId: number;
}

export const removeFromChannels = new Statement<RemoveFromChannelsParams, never>('removal.removeFromChannels', `
-- A channel without shops is for all shops, so one that was only for this shop becomes inactive.
UPDATE notification_channels
   SET shop_ids = array_remove(shop_ids, $1::int), active = active AND shop_ids <> ARRAY[$1::int]
 WHERE $1::int = ANY(shop_ids)`, ["shopId"]);

export interface DeleteShopParams {
  shopId: number;
}

export const deleteShop = new Statement<DeleteShopParams, never>('removal.deleteShop', `
-- With its former names, prompt and daily sums.
DELETE FROM shops WHERE id = $1`, ["shopId"]);
