import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { invalidField, notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { inTransaction } from '../../db/transaction';
import { findShopByName } from '../../shops/name-service';
import * as sql from './prompts.queries';
import type { promptListOutput, promptVersionsOutput } from './schema';

/** A version of a shop's prompt. At most one version of a prompt is published, and replies are written with it. */
export type PromptVersion = z.output<typeof promptVersionsOutput>['versions'][number];
type PromptList = z.output<typeof promptListOutput>;
type ListedPrompt = PromptList['prompts'][number] & Record<'published' | 'draft', PromptVersion | null>;

/**
 * Returns all prompts sorted by shop name, each with its live version and its newest draft if that is newer. Also returns the
 * names of the shops that are not archived and have no prompt.
 */
export async function listPrompts(
  db: Database,
): Promise<{ prompts: ListedPrompt[]; without: PromptList['without'] }> {
  const prompts = await sql.listPrompts.run(db.pool);
  const currentVersions = await sql.listCurrentVersions.run(db.pool);
  const shopsWithoutPrompt = await sql.listShopsWithoutPrompt.run(db.pool);
  const currentVersionOf = (promptId: number, state: PromptVersion['state']) => {
    const row = currentVersions.find((version) => version.prompt_id === promptId && version.state === state);
    if (!row) return null;
    const { prompt_id: _, ...version } = row;
    return withIsoInstants(version);
  };
  return {
    prompts: prompts.map(({ id, ...prompt }) => ({
      ...prompt,
      published: currentVersionOf(id, 'published'),
      draft: currentVersionOf(id, 'draft'),
    })),
    without: shopsWithoutPrompt.map(({ name }) => name),
  };
}

/**
 * Returns the newest 500 versions of a shop's prompt with their texts, newest first, or none for a shop without a prompt. The shop
 * name may be a former one; the result has the current name.
 */
export async function listPromptVersions(
  db: Database,
  shopName: string,
): Promise<z.output<typeof promptVersionsOutput>> {
  const shop = await findShopByName(db, shopName);
  const versions = await sql.listVersions.run(db.pool, { shopName });
  return { shop_name: shop?.name ?? shopName, versions: versions.map(withIsoInstants) };
}

async function readVersion(client: pg.Pool | pg.PoolClient, id: number): Promise<sql.ReadVersionRow> {
  const [version] = await sql.readVersion.run(client, { id });
  if (!version) throw notFound(createReason('answer.noVersion'));
  return version;
}

function toPromptVersion({ prompt_id: _, shop_name: __, ...version }: sql.ReadVersionRow): PromptVersion {
  return withIsoInstants(version);
}

/** Returns a version of a prompt with its text. @throws ServiceError `not_found` */
export async function readPromptVersion(db: Database, id: number): Promise<PromptVersion> {
  return toPromptVersion(await readVersion(db.pool, id));
}

/** Replaces the live version with the one that `publishVersion` publishes. Concurrent changes to the same prompt wait. */
async function makeVersionLive(
  db: Database,
  actor: Actor,
  id: number,
  action: 'prompt.publish' | 'prompt.roll_back',
  publishVersion: (client: pg.PoolClient, version: sql.ReadVersionRow) => Promise<number>,
): Promise<PromptVersion> {
  return inTransaction(db.pool, async (client) => {
    await sql.lockPromptOfVersion.run(client, { id });
    const version = await readVersion(client, id);
    if (version.state === 'published') throw invalidField('id', createReason('prompt.live'));
    const [retiredVersion] = await sql.retirePublishedVersion.run(client, { promptId: version.prompt_id });
    const liveVersion = await readVersion(client, await publishVersion(client, version));
    await writeAuditEntries(client, actor, [
      {
        action,
        recordType: 'prompt',
        recordId: version.prompt_id,
        before: { published_version: retiredVersion?.version ?? null },
        after: {
          shop_name: version.shop_name,
          published_version: liveVersion.version,
          text_of: version.version,
        },
      },
    ]);
    return toPromptVersion(liveVersion);
  });
}

/**
 * Publishes a draft and retires the live version. From the next request on, replies are written with the published draft.
 *
 * @throws ServiceError `not_found`; `validation_failed` for a version that is or was live ({@link rollBackPrompt} restores the
 * text of such a version)
 */
export function publishPrompt(db: Database, actor: Actor, id: number): Promise<PromptVersion> {
  return makeVersionLive(db, actor, id, 'prompt.publish', async (client, version) => {
    if (version.state === 'retired') throw invalidField('id', createReason('prompt.wasLive'));
    await sql.publishVersion.run(client, { id });
    return id;
  });
}

/**
 * Publishes the text of an older version as a new version, so that the history shows which version was live when.
 *
 * @throws ServiceError `not_found`; `validation_failed` for the live version, and for a draft, which can be published instead
 */
export function rollBackPrompt(db: Database, actor: Actor, id: number): Promise<PromptVersion> {
  return makeVersionLive(db, actor, id, 'prompt.roll_back', async (client, version) => {
    if (version.state === 'draft') throw invalidField('id', createReason('prompt.neverLive'));
    const [addedVersion] = await sql.addPublishedVersion.run(client, {
      promptId: version.prompt_id,
      text: version.text,
      userId: actor.kind === 'user' ? (actor.id ?? null) : null,
    });
    return addedVersion!.id;
  });
}
