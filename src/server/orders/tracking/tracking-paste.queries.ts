// Written by `npm run sql` from tracking-paste.sql: change that file instead.
import { Statement } from '../../db/statement';

export type stringArray = (string)[];

export interface FindShopsOfReceiptsParams {
  receiptIds: Readonly<stringArray>;
}

export interface FindShopsOfReceiptsRow {
  receipt_id: string;
  shop: string;
  shop_id: number;
}

export const findShopsOfReceipts = new Statement<FindShopsOfReceiptsParams, FindShopsOfReceiptsRow>('tracking-paste.findShopsOfReceipts', `
-- The shops in use that have orders with these order numbers. Searches all shops: a forwarder's file names none.
SELECT o.receipt_id, s.id AS shop_id, s.name AS shop
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.receipt_id = ANY($1::text[]) AND s.archived_at IS NULL
 ORDER BY s.name, s.id`, ["receiptIds"]);
