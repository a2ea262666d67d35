// Written by `npm run sql` from prompts.sql: change that file instead.
import { Statement } from '../../db/statement';

export type prompt_state = 'draft' | 'published' | 'retired';

export const blockShopNames = new Statement<undefined, never>('prompts.blockShopNames', `
-- Blocks creating and renaming shops, which could leave a prompt behind under the name.
LOCK TABLE shops IN ROW EXCLUSIVE MODE`);

export interface LockPromptOfShopParams {
  shopId: number;
}

export interface LockPromptOfShopRow {
  id: number;
}

export const lockPromptOfShop = new Statement<LockPromptOfShopParams, LockPromptOfShopRow>('prompts.lockPromptOfShop', `
INSERT INTO prompts (shop_id) VALUES ($1)
ON CONFLICT (shop_id) DO UPDATE SET shop_id = excluded.shop_id RETURNING id`, ["shopId"]);

export interface LockWaitingPromptParams {
  shopName: string;
}

export interface LockWaitingPromptRow {
  id: number;
}

export const lockWaitingPrompt = new Statement<LockWaitingPromptParams, LockWaitingPromptRow>('prompts.lockWaitingPrompt', `
INSERT INTO prompts (shop_name) VALUES ($1)
ON CONFLICT (shop_name) DO UPDATE SET shop_name = excluded.shop_name RETURNING id`, ["shopName"]);

export interface LockPromptOfVersionParams {
  id: number;
}

export interface LockPromptOfVersionRow {
  id: number;
}

export const lockPromptOfVersion = new Statement<LockPromptOfVersionParams, LockPromptOfVersionRow>('prompts.lockPromptOfVersion', `
SELECT id FROM prompts WHERE id = (SELECT prompt_id FROM prompt_versions WHERE id = $1) FOR NO KEY UPDATE`, ["id"]);

export interface ListPromptsRow {
  id: number;
  shop_id: number | null;
  shop_name: string;
  versions: number;
}

export const listPrompts = new Statement<undefined, ListPromptsRow>('prompts.listPrompts', `
SELECT p.id, coalesce(s.name, p.shop_name) AS "shop_name", s.id AS "shop_id",
       (SELECT count(*)::int FROM prompt_versions v WHERE v.prompt_id = p.id) AS "versions"
  FROM prompts p LEFT JOIN shops s ON s.id = p.shop_id
 ORDER BY coalesce(s.name, p.shop_name)`);

export interface ListHeadsRow {
  created_at: Date;
  created_by: string | null;
  id: number;
  prompt_id: number;
  published_at: Date | null;
  state: prompt_state;
  text: string;
  version: number;
}

export const listHeads = new Statement<undefined, ListHeadsRow>('prompts.listHeads', `
-- The live version of each prompt, and its newest draft if that is newer.
SELECT DISTINCT ON (v.prompt_id, v.state) v.prompt_id, v.id, v.version, v.state, v.text,
       v.created_at,
       v.published_at, u.email AS "created_by"
  FROM prompt_versions v LEFT JOIN users u ON u.id = v.created_by_user_id
 WHERE v.state = 'published' OR (v.state = 'draft' AND v.version > coalesce((
         SELECT max(l.version) FROM prompt_versions l WHERE l.prompt_id = v.prompt_id AND l.state = 'published'), 0))
 ORDER BY v.prompt_id, v.state, v.version DESC`);

export interface ListShopsWithoutPromptRow {
  name: string;
}

export const listShopsWithoutPrompt = new Statement<undefined, ListShopsWithoutPromptRow>('prompts.listShopsWithoutPrompt', `
SELECT s.name FROM shops s
 WHERE s.archived_at IS NULL AND NOT EXISTS (SELECT FROM prompts p WHERE p.shop_id = s.id) ORDER BY s.name`);

export interface ListVersionsParams {
  shopName: string;
}

export interface ListVersionsRow {
  created_at: Date;
  created_by: string | null;
  id: number;
  published_at: Date | null;
  state: prompt_state;
  text: string;
  version: number;
}

export const listVersions = new Statement<ListVersionsParams, ListVersionsRow>('prompts.listVersions', `
SELECT v.id, v.version, v.state, v.text,
       v.created_at,
       v.published_at, u.email AS "created_by"
  FROM prompt_versions v LEFT JOIN users u ON u.id = v.created_by_user_id
 WHERE v.prompt_id = (
   SELECT id FROM prompts WHERE shop_name = $1 OR shop_id = (
     SELECT id FROM shops WHERE name = $1
      UNION ALL SELECT shop_id FROM shop_former_names WHERE name = $1))
 ORDER BY v.version DESC LIMIT 500`, ["shopName"]);

export interface ReadVersionParams {
  id: number;
}

export interface ReadVersionRow {
  created_at: Date;
  created_by: string | null;
  id: number;
  prompt_id: number;
  published_at: Date | null;
  shop_name: string;
  state: prompt_state;
  text: string;
  version: number;
}

export const readVersion = new Statement<ReadVersionParams, ReadVersionRow>('prompts.readVersion', `
SELECT v.id, v.version, v.state, v.text,
       v.created_at,
       v.published_at, u.email AS "created_by",
       v.prompt_id, coalesce(s.name, p.shop_name) AS "shop_name"
  FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id LEFT JOIN shops s ON s.id = p.shop_id
  LEFT JOIN users u ON u.id = v.created_by_user_id WHERE v.id = $1`, ["id"]);

export interface ReadPublishedParams {
  shopName: string;
}

export interface ReadPublishedRow {
  id: number;
  text: string;
}

export const readPublished = new Statement<ReadPublishedParams, ReadPublishedRow>('prompts.readPublished', `
SELECT id, text FROM prompt_versions
 WHERE state = 'published' AND prompt_id = (
   SELECT id FROM prompts WHERE shop_name = $1 OR shop_id = (
     SELECT id FROM shops WHERE name = $1
      UNION ALL SELECT shop_id FROM shop_former_names WHERE name = $1))`, ["shopName"]);

export interface ListTriableParams {
  shopName: string;
}

export interface ListTriableRow {
  id: number;
  state: prompt_state;
  text: string;
  version: number;
}

export const listTriable = new Statement<ListTriableParams, ListTriableRow>('prompts.listTriable', `
-- The live version, and the newest draft if it is newer.
SELECT DISTINCT ON (v.state) v.id, v.version, v.state, v.text
  FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id
 WHERE p.id = (
   SELECT id FROM prompts WHERE shop_name = $1 OR shop_id = (
     SELECT id FROM shops WHERE name = $1
      UNION ALL SELECT shop_id FROM shop_former_names WHERE name = $1))
   AND v.state IN ('draft', 'published')
   AND (v.state = 'published' OR v.version > coalesce((
     SELECT max(l.version) FROM prompt_versions l WHERE l.prompt_id = p.id AND l.state = 'published'), 0))
 ORDER BY v.state, v.version DESC`, ["shopName"]);

export interface RetirePublishedParams {
  promptId: number;
}

export interface RetirePublishedRow {
  version: number;
}

export const retirePublished = new Statement<RetirePublishedParams, RetirePublishedRow>('prompts.retirePublished', `
-- Returns the version that was live.
UPDATE prompt_versions SET state = 'retired' WHERE prompt_id = $1 AND state = 'published' RETURNING version`, ["promptId"]);

export interface PublishVersionParams {
  id: number;
}

export const publishVersion = new Statement<PublishVersionParams, never>('prompts.publishVersion', `
UPDATE prompt_versions SET state = 'published', published_at = now() WHERE id = $1`, ["id"]);

export interface AddPublishedParams {
  promptId: number;
  text: string;
  userId: number | null;
}

export interface AddPublishedRow {
  id: number;
}

export const addPublished = new Statement<AddPublishedParams, AddPublishedRow>('prompts.addPublished', `
INSERT INTO prompt_versions (prompt_id, version, text, state, created_by_user_id, published_at)
SELECT $1, max(version) + 1, $2, 'published', $3, now() FROM prompt_versions WHERE prompt_id = $1
RETURNING id`, ["promptId","text","userId"]);
