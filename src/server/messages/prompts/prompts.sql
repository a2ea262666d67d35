/*
 * A prompt is found by its shop's current name or a former one, or by the name under which it is waiting for a shop.
 */

/* @name lockPromptOfShop */
-- Creates the prompt if the shop has none.
INSERT INTO prompts (shop_id) VALUES (:shopId!)
ON CONFLICT (shop_id) DO UPDATE SET shop_id = excluded.shop_id RETURNING id;

/* @name lockWaitingPrompt */
INSERT INTO prompts (shop_name) VALUES (:shopName!)
ON CONFLICT (shop_name) DO UPDATE SET shop_name = excluded.shop_name RETURNING id;

/* @name lockPromptOfVersion */
SELECT id FROM prompts WHERE id = (SELECT prompt_id FROM prompt_versions WHERE id = :id!) FOR NO KEY UPDATE;

/* @name listPrompts */
SELECT p.id, coalesce(s.name, p.shop_name) AS "shop_name!", s.id AS "shop_id?",
       (SELECT count(*)::int FROM prompt_versions v WHERE v.prompt_id = p.id) AS "versions!"
  FROM prompts p LEFT JOIN shops s ON s.id = p.shop_id
 ORDER BY coalesce(s.name, p.shop_name);

/* @name listCurrentVersions */
-- The live version of each prompt, and its newest draft if that is newer.
SELECT DISTINCT ON (v.prompt_id, v.state) v.prompt_id, v.id, v.version, v.state, v.text,
       v.created_at,
       v.published_at, u.email AS "created_by?"
  FROM prompt_versions v LEFT JOIN users u ON u.id = v.created_by_user_id
 WHERE v.state = 'published' OR (v.state = 'draft' AND v.version > coalesce((
         SELECT max(l.version) FROM prompt_versions l WHERE l.prompt_id = v.prompt_id AND l.state = 'published'), 0))
 ORDER BY v.prompt_id, v.state, v.version DESC;

/* @name listShopsWithoutPrompt */
SELECT s.name FROM shops s
 WHERE s.archived_at IS NULL AND NOT EXISTS (SELECT FROM prompts p WHERE p.shop_id = s.id) ORDER BY s.name;

/* @name listVersions */
SELECT v.id, v.version, v.state, v.text,
       v.created_at,
       v.published_at, u.email AS "created_by?"
  FROM prompt_versions v LEFT JOIN users u ON u.id = v.created_by_user_id
 WHERE v.prompt_id = (
   SELECT id FROM prompts WHERE shop_name = :shopName! OR shop_id = (
     SELECT id FROM shops WHERE name = :shopName!
      UNION ALL SELECT shop_id FROM shop_former_names WHERE name = :shopName!))
 ORDER BY v.version DESC LIMIT 500;

/* @name readVersion */
SELECT v.id, v.version, v.state, v.text,
       v.created_at,
       v.published_at, u.email AS "created_by?",
       v.prompt_id, coalesce(s.name, p.shop_name) AS "shop_name!"
  FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id LEFT JOIN shops s ON s.id = p.shop_id
  LEFT JOIN users u ON u.id = v.created_by_user_id WHERE v.id = :id!;

/* @name readPublishedVersion */
SELECT id, text FROM prompt_versions
 WHERE state = 'published' AND prompt_id = (
   SELECT id FROM prompts WHERE shop_name = :shopName! OR shop_id = (
     SELECT id FROM shops WHERE name = :shopName!
      UNION ALL SELECT shop_id FROM shop_former_names WHERE name = :shopName!));

/* @name listVersionsToTry */
-- The live version, and the newest draft if it is newer.
SELECT DISTINCT ON (v.state) v.id, v.version, v.state, v.text, v.prompt_id, coalesce(s.name, p.shop_name) AS "shop_name!"
  FROM prompts p JOIN prompt_versions v ON v.prompt_id = p.id LEFT JOIN shops s ON s.id = p.shop_id
 WHERE p.id = (
   SELECT id FROM prompts WHERE shop_name = :shopName! OR shop_id = (
     SELECT id FROM shops WHERE name = :shopName!
      UNION ALL SELECT shop_id FROM shop_former_names WHERE name = :shopName!))
   AND v.state IN ('draft', 'published')
   AND (v.state = 'published' OR v.version > coalesce((
     SELECT max(l.version) FROM prompt_versions l WHERE l.prompt_id = p.id AND l.state = 'published'), 0))
 ORDER BY v.state, v.version DESC;

/* @name retirePublishedVersion */
-- Returns the version that was live.
UPDATE prompt_versions SET state = 'retired' WHERE prompt_id = :promptId! AND state = 'published' RETURNING version;

/* @name publishVersion */
UPDATE prompt_versions SET state = 'published', published_at = now() WHERE id = :id!;

/* @name addPublishedVersion */
INSERT INTO prompt_versions (prompt_id, version, text, state, created_by_user_id, published_at)
SELECT :promptId!, max(version) + 1, :text!, 'published', :userId, now() FROM prompt_versions WHERE prompt_id = :promptId!
RETURNING id;
