import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAudits } from '../../audit/audit';
import { instantText } from '../../core/cursor';
import { ServiceError, validationError } from '../../core/errors';
import { inTransaction } from '../../core/postgres';
import { because, problemAt } from '../../core/reason';
import type { Database } from '../../db/client';
import { findShopByName } from '../../shops/name-service';
import type { promptListOutput, promptVersionsOutput } from './schema';
import { promptOfName } from './service';

type Version = z.output<typeof promptVersionsOutput>['versions'][number];
type PromptList = z.output<typeof promptListOutput>;

const HEAD = `v.id, v.version, v.state, ${instantText('v.created_at')} AS created_at,
  ${instantText('v.published_at')} AS published_at, u.email AS created_by`;

/** The newest matching version of a prompt, as JSON. */
const newest = (condition: string) => `(
  SELECT row_to_json(h) FROM (
    SELECT ${HEAD} FROM prompt_versions v LEFT JOIN users u ON u.id = v.created_by_user_id
     WHERE v.prompt_id = p.id AND ${condition} ORDER BY v.version DESC LIMIT 1) h)`;

const YOUNGER = `v.state = 'draft' AND v.version > coalesce(
  (SELECT max(l.version) FROM prompt_versions l WHERE l.prompt_id = p.id AND l.state = 'published'), 0)`;

const LIST = `
SELECT coalesce(s.name, p.shop_name) AS shop_name, s.id AS shop_id,
       (SELECT count(*)::int FROM prompt_versions v WHERE v.prompt_id = p.id) AS versions,
       ${newest("v.state = 'published'")} AS published, ${newest(YOUNGER)} AS draft
  FROM prompts p LEFT JOIN shops s ON s.id = p.shop_id
 ORDER BY coalesce(s.name, p.shop_name)`;

const WITHOUT = `
SELECT s.name FROM shops s
 WHERE s.archived_at IS NULL AND NOT EXISTS (SELECT FROM prompts p WHERE p.shop_id = s.id) ORDER BY s.name`;

/** Returns every prompt with its live version and its pending draft, and the shops without a prompt. */
export async function listShopPrompts(db: Database): Promise<PromptList> {
  const prompts = await db.pool.query<PromptList['prompts'][number]>(LIST);
  const without = await db.pool.query<{ name: string }>(WITHOUT);
  return { prompts: prompts.rows, without: without.rows.map(({ name }) => name) };
}

const VERSIONS = `
SELECT ${HEAD}, v.text FROM prompt_versions v LEFT JOIN users u ON u.id = v.created_by_user_id
 WHERE v.prompt_id = ${promptOfName('$1')} ORDER BY v.version DESC LIMIT 500`;

/**
 * Returns the versions of a shop's prompt with their texts, newest first; none for a shop without a prompt. The shop may be
 * given by a former name; the result has its current one.
 */
export async function promptVersions(
  db: Database,
  shopName: string,
): Promise<z.output<typeof promptVersionsOutput>> {
  const shop = await findShopByName(db, shopName);
  const { rows } = await db.pool.query<Version>(VERSIONS, [shopName]);
  return { shop_name: shop?.name ?? shopName, versions: rows };
}

interface LockedVersion extends Version {
  prompt_id: number;
  shop_name: string;
}

const ONE = `
SELECT ${HEAD}, v.text, v.prompt_id, coalesce(s.name, p.shop_name) AS shop_name
  FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id LEFT JOIN shops s ON s.id = p.shop_id
  LEFT JOIN users u ON u.id = v.created_by_user_id WHERE v.id = $1`;

const LOCK_PROMPT = `
SELECT 1 FROM prompts WHERE id = (SELECT prompt_id FROM prompt_versions WHERE id = $1) FOR NO KEY UPDATE`;

async function readVersion(client: pg.Pool | pg.PoolClient, id: number): Promise<LockedVersion> {
  const { rows } = await client.query<LockedVersion>(ONE, [id]);
  if (!rows[0]) throw new ServiceError('not_found', because('answer.noVersion'));
  return rows[0];
}

function shown({ prompt_id: _, shop_name: __, ...version }: LockedVersion): Version {
  return version;
}

/** Returns a version of a prompt with its text. */
export async function promptVersion(db: Database, id: number): Promise<Version> {
  return shown(await readVersion(db.pool, id));
}

/** $1 prompt. Returns the version that was live. */
const RETIRE = `
UPDATE prompt_versions SET state = 'retired' WHERE prompt_id = $1 AND state = 'published' RETURNING version`;

/** Makes another version live. Concurrent changes of the same prompt wait. */
async function makeLive(
  db: Database,
  actor: Actor,
  id: number,
  action: 'prompt.publish' | 'prompt.roll_back',
  publish: (client: pg.PoolClient, version: LockedVersion) => Promise<number>,
): Promise<Version> {
  return inTransaction(db.pool, async (client) => {
    await client.query(LOCK_PROMPT, [id]);
    const version = await readVersion(client, id);
    if (version.state === 'published') throw validationError([problemAt('id', because('prompt.live'))]);
    const retired = await client.query<{ version: number }>(RETIRE, [version.prompt_id]);
    const live = await readVersion(client, await publish(client, version));
    await writeAudits(client, actor, [
      {
        action,
        recordType: 'prompt',
        recordId: version.prompt_id,
        before: { published_version: retired.rows[0]?.version ?? null },
        after: { shop_name: version.shop_name, published_version: live.version, text_of: version.version },
      },
    ]);
    return shown(live);
  });
}

/**
 * Publishes a draft and retires the live version. Replies use it from the next request on.
 *
 * @throws ServiceError `not_found`; `validation_failed` for a version that is or was live: {@link rollBackPrompt} restores its
 * text
 */
export function publishPrompt(db: Database, actor: Actor, id: number): Promise<Version> {
  return makeLive(db, actor, id, 'prompt.publish', async (client, version) => {
    if (version.state === 'retired') throw validationError([problemAt('id', because('prompt.wasLive'))]);
    await client.query(`UPDATE prompt_versions SET state = 'published', published_at = now() WHERE id = $1`, [
      id,
    ]);
    return id;
  });
}

/** $1 prompt, $2 text, $3 user or null. */
const ADD_LIVE = `
INSERT INTO prompt_versions (prompt_id, version, text, state, created_by_user_id, published_at)
SELECT $1, max(version) + 1, $2, 'published', $3, now() FROM prompt_versions WHERE prompt_id = $1
RETURNING id`;

/**
 * Publishes the text of an older version as a new one, so that the history shows which version was live when.
 *
 * @throws ServiceError `not_found`; `validation_failed` for the live version, and for a draft, which is published instead
 */
export function rollBackPrompt(db: Database, actor: Actor, id: number): Promise<Version> {
  return makeLive(db, actor, id, 'prompt.roll_back', async (client, version) => {
    if (version.state === 'draft') throw validationError([problemAt('id', because('prompt.neverLive'))]);
    const author = actor.kind === 'user' ? (actor.id ?? null) : null;
    const { rows } = await client.query<{ id: number }>(ADD_LIVE, [version.prompt_id, version.text, author]);
    return rows[0]!.id;
  });
}
