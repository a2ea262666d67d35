// Written by `npm run sql` from audit.sql: change that file instead.
import { Statement } from '../db/statement';

export type actor_kind = 'api_key' | 'command' | 'system' | 'user';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type numberArray = (number)[];
export type stringArray = (string)[];

export interface AddEntriesParams {
  actor: string;
  actorId: number | null;
  address: string | null;
  kind: actor_kind;
  records: Json | Uint8Array;
  requestId: string | null;
}

export const addEntries = new Statement<AddEntriesParams, never>('audit.addEntries', `
INSERT INTO audit_log (actor_kind, actor_id, actor, address, request_id, action, record_type, record_id, before, after)
SELECT $1, $2, $3, $4, $5, r.action, r."recordType", r."recordId", r.before, r.after
  FROM json_to_recordset($6::json) AS r(action text, "recordType" text, "recordId" text, before jsonb, after jsonb)`, ["kind","actorId","actor","address","requestId","records"]);

export interface ListActorsRow {
  id: number | null;
  kind: string;
  name: string;
}

export const listActors = new Statement<undefined, ListActorsRow>('audit.listActors', `
-- Lists the actors in the log: each user and key by id, all commands as one, and the service itself as one.
SELECT 'user' AS "kind", u.id AS "id", u.name AS "name" FROM users u
 WHERE EXISTS (SELECT FROM audit_log a WHERE a.actor_kind = 'user' AND a.actor_id = u.id)
UNION ALL
SELECT 'api_key', k.id, k.name FROM api_keys k
 WHERE EXISTS (SELECT FROM audit_log a WHERE a.actor_kind = 'api_key' AND a.actor_id = k.id)
UNION ALL
SELECT 'command', NULL, '' WHERE EXISTS (SELECT FROM audit_log a WHERE a.actor_kind = 'command')
UNION ALL
SELECT 'system', NULL, '' WHERE EXISTS (SELECT FROM audit_log a WHERE a.actor_kind = 'system')
ORDER BY 1 DESC, 3, 2`);

export interface NameRecordsParams {
  accounts: Readonly<numberArray>;
  apiKeys: Readonly<numberArray>;
  categories: Readonly<numberArray>;
  channels: Readonly<numberArray>;
  clients: Readonly<stringArray>;
  countries: Readonly<stringArray>;
  products: Readonly<numberArray>;
  prompts: Readonly<numberArray>;
  templates: Readonly<numberArray>;
  tokens: Readonly<numberArray>;
  users: Readonly<numberArray>;
  views: Readonly<numberArray>;
}

export interface NameRecordsRow {
  id: string;
  name: string;
  type: string;
}

export const nameRecords = new Statement<NameRecordsParams, NameRecordsRow>('audit.nameRecords', `
-- Returns the names of records by type and id. A record that has been removed has no row.
SELECT 'account' AS "type", id::text AS "id", name AS "name" FROM shops WHERE id = ANY($1::int[])
UNION ALL SELECT 'user', id::text, name FROM users WHERE id = ANY($2::int[])
UNION ALL SELECT 'api_key', id::text, name FROM api_keys WHERE id = ANY($3::int[])
UNION ALL SELECT 'personal_token', id::text, name FROM personal_tokens WHERE id = ANY($4::int[])
UNION ALL SELECT 'oauth_client', id, name FROM oauth_clients WHERE id = ANY($5::text[])
UNION ALL SELECT 'product', id::text, code FROM products WHERE id = ANY($6::int[])
UNION ALL SELECT 'category', id::text, name FROM categories WHERE id = ANY($7::int[])
UNION ALL SELECT 'country', code, name FROM countries WHERE code = ANY($8::text[])
UNION ALL SELECT 'view', id::text, name FROM saved_views WHERE id = ANY($9::int[])
UNION ALL SELECT 'export_template', id::text, name FROM export_templates WHERE id = ANY($10::int[])
UNION ALL SELECT 'notification_channel', id::text, name FROM notification_channels WHERE id = ANY($11::int[])
UNION ALL SELECT 'prompt', p.id::text, coalesce(s.name, p.shop_name)
  FROM prompts p LEFT JOIN shops s ON s.id = p.shop_id WHERE p.id = ANY($12::int[])`, ["accounts","users","apiKeys","tokens","clients","products","categories","countries","views","templates","channels","prompts"]);

export interface NameOrdersParams {
  orders: Readonly<NumberOrStringArray>;
}

export interface NameOrdersRow {
  id: string;
  name: string;
}

export const nameOrders = new Statement<NameOrdersParams, NameOrdersRow>('audit.nameOrders', `
-- Searches all shops, because the log stores only the ids of orders.
SELECT id::text AS "id", receipt_id AS "name" FROM orders WHERE id = ANY($1::bigint[])`, ["orders"]);

export interface NameImportsParams {
  imports: Readonly<NumberOrStringArray>;
}

export interface NameImportsRow {
  id: string;
  name: string;
}

export const nameImports = new Statement<NameImportsParams, NameImportsRow>('audit.nameImports', `
-- Searches all shops, like nameOrders.
SELECT id::text AS "id", file_name AS "name" FROM imports
 WHERE id = ANY($1::bigint[]) AND file_name IS NOT NULL`, ["imports"]);

export interface FindLastChangeParams {
  fields: Json | Uint8Array;
  recordId: string;
  recordType: string;
}

export interface FindLastChangeRow {
  at: Date;
  id: number | null;
  kind: actor_kind;
  name: string;
}

export const findLastChange = new Statement<FindLastChangeParams, FindLastChangeRow>('audit.findLastChange', `
-- Returns who last set one of these fields to its current value.
SELECT a.actor_kind AS "kind", a.actor_id AS "id", coalesce(u.name, k.name, a.actor) AS "name", a.created_at AS "at"
  FROM audit_log a
  LEFT JOIN users u ON a.actor_kind = 'user' AND u.id = a.actor_id
  LEFT JOIN api_keys k ON a.actor_kind = 'api_key' AND k.id = a.actor_id
 WHERE a.record_type = $1 AND a.record_id = $2
   AND EXISTS (SELECT FROM jsonb_each($3::jsonb) f
                WHERE a.after -> f.key = f.value AND a.before -> f.key IS DISTINCT FROM f.value)
 ORDER BY a.created_at DESC, a.id DESC
 LIMIT 1`, ["recordType","recordId","fields"]);
