// Written by `npm run sql` from retention.sql: change that file instead.
import { Statement } from '../../db/statement';

export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];

export interface ListShopsParams {
  days: number;
}

export interface ListShopsRow {
  shop_id: number;
}

export const listShops = new Statement<ListShopsParams, ListShopsRow>('retention.listShops', `
-- The shops with imports whose row history is due.
SELECT DISTINCT shop_id FROM imports
 WHERE row_history = 'expiring' OR row_history = 'kept' AND created_at < now() - make_interval(days => $1)
 ORDER BY shop_id`, ["days"]);

export interface LockDueParams {
  days: number;
  shopId: number;
}

export interface LockDueRow {
  id: string;
}

export const lockDue = new Statement<LockDueParams, LockDueRow>('retention.lockDue', `
-- Skips imports that are being undone, which are locked; the next run finds them.
SELECT id::text AS "id" FROM imports
 WHERE shop_id = $1 AND row_history = 'kept' AND created_at < now() - make_interval(days => $2)
 FOR NO KEY UPDATE SKIP LOCKED`, ["shopId","days"]);

export interface ExpireParams {
  importIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export const expire = new Statement<ExpireParams, never>('retention.expire', `
-- From now on these imports cannot be undone.
UPDATE imports SET row_history = 'expiring' WHERE shop_id = $1 AND id = ANY($2::bigint[])`, ["shopId","importIds"]);

export interface ListExpiringParams {
  shopId: number;
}

export interface ListExpiringRow {
  id: string;
}

export const listExpiring = new Statement<ListExpiringParams, ListExpiringRow>('retention.listExpiring', `
SELECT id::text AS "id" FROM imports WHERE shop_id = $1 AND row_history = 'expiring' ORDER BY id`, ["shopId"]);

export interface DeleteChangesParams {
  importId: NumberOrString;
  limit: NumberOrString;
  shopId: number;
}

export interface DeleteChangesRow {
  count: number;
}

export const deleteChanges = new Statement<DeleteChangesParams, DeleteChangesRow>('retention.deleteChanges', `
WITH deleted AS (
  DELETE FROM import_changes
   WHERE shop_id = $1 AND id IN (SELECT id FROM import_changes WHERE shop_id = $1 AND import_id = $2 LIMIT $3)
  RETURNING id
)
SELECT count(*)::int AS "count" FROM deleted`, ["shopId","importId","limit"]);

export interface DeleteIssuesParams {
  importId: NumberOrString;
  limit: NumberOrString;
  shopId: number;
}

export interface DeleteIssuesRow {
  count: number;
}

export const deleteIssues = new Statement<DeleteIssuesParams, DeleteIssuesRow>('retention.deleteIssues', `
WITH deleted AS (
  DELETE FROM import_issues
   WHERE shop_id = $1 AND import_id = $2
     AND position IN (SELECT position FROM import_issues WHERE shop_id = $1 AND import_id = $2 LIMIT $3)
  RETURNING position
)
SELECT count(*)::int AS "count" FROM deleted`, ["shopId","importId","limit"]);

export interface MarkDeletedParams {
  importId: NumberOrString;
  shopId: number;
}

export const markDeleted = new Statement<MarkDeletedParams, never>('retention.markDeleted', `
UPDATE imports SET row_history = 'deleted' WHERE shop_id = $1 AND id = $2`, ["shopId","importId"]);
