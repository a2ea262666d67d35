// Written by `npm run sql` from change.sql: change that file instead.
import { Statement } from '../../db/statement';

export type order_status = 'cancelled' | 'delivered' | 'paid' | 'pending' | 'shipped';
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];

export interface SetStatusParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
  status: order_status;
}

export const setStatus = new Statement<SetStatusParams, never>('change.setStatus', `
UPDATE orders SET status = $1, updated_at = now() WHERE shop_id = $2 AND id = ANY($3::bigint[])`, ["status","shopId","orderIds"]);

export interface AddNotesParams {
  author: string;
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
  text: string;
  userId: number;
}

export const addNotes = new Statement<AddNotesParams, never>('change.addNotes', `
INSERT INTO order_notes (shop_id, order_id, user_id, author, text)
SELECT $1, order_id, $2::int, $3, $4 FROM unnest($5::bigint[]) AS o(order_id)`, ["shopId","userId","author","text","orderIds"]);

export interface FindNoteParams {
  noteId: number;
  userId: number;
}

export interface FindNoteRow {
  shop_id: number;
}

export const findNote = new Statement<FindNoteParams, FindNoteRow>('change.findNote', `
-- A user's own note; its shop is not known yet.
SELECT shop_id FROM order_notes WHERE id = $1 AND user_id = $2`, ["noteId","userId"]);

export interface RemoveNoteParams {
  noteId: number;
  shopId: number;
  userId: number;
}

export interface RemoveNoteRow {
  order_id: string;
  text: string;
}

export const removeNote = new Statement<RemoveNoteParams, RemoveNoteRow>('change.removeNote', `
DELETE FROM order_notes WHERE shop_id = $1 AND id = $2 AND user_id = $3
RETURNING order_id::text AS "order_id", text`, ["shopId","noteId","userId"]);
