// Written by `npm run sql` from views.sql: change that file instead.
import { Statement } from '../db/statement';

export interface LockUserOfViewsParams {
  userId: number;
}

export interface LockUserOfViewsRow {
  id: number;
}

export const lockUserOfViews = new Statement<LockUserOfViewsParams, LockUserOfViewsRow>('views.lockUserOfViews', `
-- Serializes changes of one user's views.
SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE`, ["userId"]);

export interface LockViewParams {
  id: number;
}

export interface LockViewRow {
  id: number;
}

export const lockView = new Statement<LockViewParams, LockViewRow>('views.lockView', `
SELECT id FROM saved_views WHERE id = $1 FOR UPDATE`, ["id"]);
