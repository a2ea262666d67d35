// Written by `npm run sql` from users.sql: change that file instead.
import { Statement } from '../../db/statement';

export interface LockUserParams {
  id: number;
}

export interface LockUserRow {
  id: number;
}

export const lockUser = new Statement<LockUserParams, LockUserRow>('users.lockUser', `
SELECT id FROM users WHERE id = $1 FOR UPDATE`, ["id"]);

export interface LockUserByEmailParams {
  email: string;
}

export interface LockUserByEmailRow {
  id: number;
}

export const lockUserByEmail = new Statement<LockUserByEmailParams, LockUserByEmailRow>('users.lockUserByEmail', `
SELECT id FROM users WHERE email = $1 FOR UPDATE`, ["email"]);

export interface LockOwnersRow {
  id: number;
}

export const lockOwners = new Statement<undefined, LockOwnersRow>('users.lockOwners', `
-- Locked before any other user, so that if two owners remove each other, one waits and then sees the other's change.
SELECT id FROM users WHERE role = 'owner' AND deactivated_at IS NULL ORDER BY id FOR UPDATE`);
