import { type Actor, writeAudit } from '../../audit/audit';
import type { Database } from '../../db/client';
import { findShopByName } from '../../shops/shops.queries';
import * as sql from './prompts.queries';

type Transaction = Parameters<Parameters<Database['prisma']['$transaction']>[0]>[0];

/** A version of a shop's prompt. At most one is published; replies are written with that one. */
export interface PromptVersionView {
  version: number;
  text: string;
  createdAt: Date;
  publishedAt: Date | null;
}

/** A shop's prompt. The draft is the newest one, if it is newer than the published version. */
export interface PromptView {
  shopName: string;
  versions: number;
  published: PromptVersionView | null;
  draft: PromptVersionView | null;
}

/**
 * Locks the prompt with this shop name and creates it if necessary. Returns it with its shop's name, or the name under which it
 * waits.
 */
async function lockPrompt(tx: Transaction, name: string): Promise<{ id: number; shopName: string }> {
  await sql.blockShopNames.runIn(tx);
  const [shop] = await findShopByName.runIn(tx, { name });
  const [prompt] = shop
    ? await sql.lockPromptOfShop.runIn(tx, { shopId: shop.id })
    : await sql.lockWaitingPrompt.runIn(tx, { shopName: name });
  return { id: prompt!.id, shopName: shop?.name ?? name };
}

/**
 * Adds a version to a shop's prompt, creating the prompt if necessary. Unless it is a draft, it is published at once and the
 * previously published version is retired. The shop may be given by a former name. A prompt under a name that no shop has waits
 * until a shop takes the name. Concurrent calls for one shop wait for each other.
 */
export async function setPrompt(
  db: Database,
  actor: Actor,
  input: { shopName: string; text: string; draft?: boolean },
): Promise<{ id: number; shopName: string; version: number; state: 'draft' | 'published' }> {
  const { text } = input;
  const state = input.draft ? 'draft' : 'published';
  return db.prisma.$transaction(async (tx) => {
    const { id: promptId, shopName } = await lockPrompt(tx, input.shopName);
    const newest = await tx.promptVersion.findFirst({ where: { promptId }, orderBy: { version: 'desc' } });
    const published = await tx.promptVersion.findFirst({ where: { promptId, state: 'published' } });
    if (state === 'published') {
      await tx.promptVersion.updateMany({
        where: { promptId, state: 'published' },
        data: { state: 'retired' },
      });
    }
    const version = (newest?.version ?? 0) + 1;
    const { id } = await tx.promptVersion.create({
      data: {
        promptId,
        version,
        text,
        state,
        createdByUserId: actor.kind === 'user' ? (actor.id ?? null) : null,
        publishedAt: state === 'published' ? new Date() : null,
      },
    });
    await writeAudit(tx, actor, {
      action: state === 'published' ? 'prompt.publish' : 'prompt.draft',
      recordType: 'prompt',
      recordId: promptId,
      before: { published_version: published?.version ?? null },
      after: {
        shop_name: shopName,
        version,
        published_version: state === 'published' ? version : (published?.version ?? null),
      },
    });
    return { id, shopName, version, state };
  });
}

/** Returns all prompts by shop name, with the published version and the pending draft. */
export async function listPrompts(db: Database): Promise<PromptView[]> {
  const prompts = await db.prisma.prompt.findMany({
    include: {
      shop: { select: { name: true } },
      _count: { select: { versions: true } },
      versions: {
        where: { state: { in: ['published', 'draft'] } },
        orderBy: { version: 'desc' },
        omit: { createdByUserId: true },
      },
    },
  });
  const views = prompts.map(({ shop, shopName, versions, _count }) => {
    const published = versions.find((version) => version.state === 'published') ?? null;
    const newer = versions.find((version) => version.state === 'draft');
    const draft = newer && newer.version > (published?.version ?? 0) ? newer : null;
    return {
      // One of the two is always set: the table has a constraint for it.
      shopName: shop?.name ?? shopName!,
      versions: _count.versions,
      published: published && versionView(published),
      draft: draft && versionView(draft),
    };
  });
  return views.sort((a, b) => (a.shopName < b.shopName ? -1 : 1));
}

function versionView({ version, text, createdAt, publishedAt }: PromptVersionView): PromptVersionView {
  return { version, text, createdAt, publishedAt };
}

/** Returns the version that a shop's replies are written with, or null if none is published for the shop of this name. */
export async function publishedPrompt(
  db: Database,
  shopName: string,
): Promise<{ id: number; text: string } | null> {
  const [published] = await sql.readPublished.run(db.pool, { shopName });
  return published ?? null;
}
