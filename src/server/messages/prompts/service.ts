import { type Actor, writeAudit } from '../../audit/audit';
import type { Database } from '../../db/client';

/** A version of a shop's prompt. At most one version is published; it is the one that replies are written with. */
export interface PromptVersionView {
  version: number;
  text: string;
  createdAt: Date;
  publishedAt: Date | null;
}

/** A shop's prompt. The draft is the newest one that is younger than what is published. */
export interface PromptView {
  shopName: string;
  versions: number;
  published: PromptVersionView | null;
  draft: PromptVersionView | null;
}

/**
 * Adds a version to a shop's prompt, which is made where there is none, and publishes it at once unless it is a draft; the
 * version that was published is retired. Concurrent calls for one shop wait for each other.
 */
export async function setPrompt(
  db: Database,
  actor: Actor,
  input: { shopName: string; text: string; draft?: boolean },
): Promise<{ id: number; shopName: string; version: number; state: 'draft' | 'published' }> {
  const { shopName, text } = input;
  const state = input.draft ? 'draft' : 'published';
  return db.prisma.$transaction(async (tx) => {
    // Locks the prompt, whether it is new or not.
    const [prompt] = await tx.$queryRaw<{ id: number }[]>`
      INSERT INTO prompts (shop_name) VALUES (${shopName})
      ON CONFLICT (shop_name) DO UPDATE SET shop_name = excluded.shop_name RETURNING id`;
    const promptId = prompt!.id;
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

/** All prompts by shop name, with what is published and the draft that would follow it. */
export async function listPrompts(db: Database): Promise<PromptView[]> {
  const prompts = await db.prisma.prompt.findMany({
    orderBy: { shopName: 'asc' },
    include: {
      _count: { select: { versions: true } },
      versions: {
        where: { state: { in: ['published', 'draft'] } },
        orderBy: { version: 'desc' },
        omit: { createdByUserId: true },
      },
    },
  });
  return prompts.map(({ shopName, versions, _count }) => {
    const published = versions.find((version) => version.state === 'published') ?? null;
    const newer = versions.find((version) => version.state === 'draft');
    const draft = newer && newer.version > (published?.version ?? 0) ? newer : null;
    return {
      shopName,
      versions: _count.versions,
      published: published && versionView(published),
      draft: draft && versionView(draft),
    };
  });
}

function versionView({ version, text, createdAt, publishedAt }: PromptVersionView): PromptVersionView {
  return { version, text, createdAt, publishedAt };
}

/** The version that a shop's replies are written with, or null where none is published under this name. */
export async function publishedPrompt(
  db: Database,
  shopName: string,
): Promise<{ id: number; text: string } | null> {
  return db.prisma.promptVersion.findFirst({
    where: { state: 'published', prompt: { shopName } },
    select: { id: true, text: true },
    orderBy: { version: 'desc' },
  });
}
