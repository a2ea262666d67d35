// Written by `npm run sql` from tokens.sql: change that file instead.
import { Statement } from '../../db/statement';

export type stringArray = (string)[];

export interface FindTokenParams {
  hash: Buffer;
}

export interface FindTokenRow {
  id: number;
  scopes: stringArray;
  user_id: number;
}

export const findToken = new Statement<FindTokenParams, FindTokenRow>('tokens.findToken', `
SELECT id, user_id, scopes AS "scopes" FROM personal_tokens
 WHERE hash = $1 AND revoked_at IS NULL AND expires_at > now()`, ["hash"]);
