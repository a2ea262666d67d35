// Written by `npm run sql` from keys.sql: change that file instead.
import { Statement } from '../../db/statement';

export type numberArray = (number)[];
export type stringArray = (string)[];

export interface FindKeyParams {
  hash: Buffer;
}

export interface FindKeyRow {
  address_ranges: stringArray;
  expires_at: Date | null;
  id: number;
  name: string;
  revoked_at: Date | null;
  scopes: stringArray;
}

export const findKey = new Statement<FindKeyParams, FindKeyRow>('keys.findKey', `
SELECT id, name, scopes AS "scopes", address_ranges AS "address_ranges", expires_at, revoked_at
  FROM api_keys WHERE hash = $1`, ["hash"]);

export interface LockKeyParams {
  id: number;
}

export interface LockKeyRow {
  id: number;
}

export const lockKey = new Statement<LockKeyParams, LockKeyRow>('keys.lockKey', `
-- FOR UPDATE would block imports and the request log, which reference the key.
SELECT id FROM api_keys WHERE id = $1 FOR NO KEY UPDATE`, ["id"]);

export interface ListRotationsParams {
  ids: Readonly<numberArray>;
}

export interface ListRotationsRow {
  address: string | null;
  at: Date;
  calls: number | null;
  id: number;
  last_at: Date | null;
  to_id: number;
}

export const listRotations = new Statement<ListRotationsParams, ListRotationsRow>('keys.listRotations', `
-- Lists which of these keys were rotated, each with the addresses that have used it since, most recent first. A key that has
-- not been used since has one row without address and calls.
SELECT n.rotated_from_id AS "id", n.id AS to_id, n.created_at AS at, u.address AS "address", u.calls AS "calls",
       u.last_at AS "last_at"
  FROM api_keys n
  LEFT JOIN LATERAL (
    SELECT c.address, count(*)::int AS calls, max(c.created_at) AS last_at
      FROM api_key_calls c WHERE c.api_key_id = n.rotated_from_id AND c.created_at >= n.created_at
     GROUP BY c.address
  ) u ON true
 WHERE n.rotated_from_id = ANY($1::int[])
 ORDER BY n.id, u.last_at DESC`, ["ids"]);
