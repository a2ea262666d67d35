import type { Prisma } from '../../../generated/prisma/client';
import { createEditConflict } from '../../audit/edit-conflict-service';
import { type Actor, writeAuditEntry } from '../../audit/service';
import type { Database } from '../../db/client';
import { lockShopByName, lockShopNames } from '../../shops/lock-service';
import { findShopByName } from '../../shops/shops.queries';
import * as sql from './prompts.queries';

/**
 * Locks the prompt for this shop name, creating it if necessary. Returns its id and the shop's current name, or `name` if the
 * prompt is waiting for a shop. Returns null if a shop got the name just now, which is locked only by the next transaction: the row
 * of a shop is locked before the names of all shops.
 */
async function lockPrompt(
  tx: Prisma.TransactionClient,
  name: string,
): Promise<{ id: number; shopName: string; isPending: boolean } | null> {
  const shop = await lockShopByName(tx, name);
  if (shop) {
    const [prompt] = await sql.lockPromptOfShop.runIn(tx, { shopId: shop.id });
    return { id: prompt!.id, shopName: shop.name, isPending: false };
  }
  // A shop that took the name in the meantime would not get the prompt.
  await lockShopNames(tx);
  if ((await findShopByName.runIn(tx, { name })).length > 0) return null;
  const [prompt] = await sql.lockWaitingPrompt.runIn(tx, { shopName: name });
  return { id: prompt!.id, shopName: name, isPending: true };
}

interface NewVersion {
  shopName: string;
  text: string;
  draft?: boolean;
  /** The number of the newest version when the form was opened, or 0 if there was none. */
  shown?: { version?: number | undefined } | undefined;
}

interface SavedVersion {
  id: number;
  shopName: string;
  /** Whether no shop has this name yet. */
  isPending: boolean;
  version: number;
  state: 'draft' | 'published';
}

/**
 * Adds a version to a shop's prompt, creating the prompt if necessary. Unless the version is a draft, it is published immediately
 * and the previously published version is retired. The shop name may be a former one. If no shop has the name, the prompt waits
 * until one does. Concurrent calls for one shop wait for each other.
 *
 * @throws ServiceError `conflict` if the newest version is no longer the one in `shown`, unless it has the same text
 */
export async function setPrompt(db: Database, actor: Actor, input: NewVersion): Promise<SavedVersion> {
  for (;;) {
    const savedVersion = await saveVersion(db, actor, input);
    if (savedVersion) return savedVersion;
  }
}

/** Like {@link setPrompt}. Returns null, without having changed anything, if a shop got the name just now. */
async function saveVersion(db: Database, actor: Actor, input: NewVersion): Promise<SavedVersion | null> {
  const { text } = input;
  const state = input.draft ? 'draft' : 'published';
  return db.prisma.$transaction(async (tx) => {
    const lockedPrompt = await lockPrompt(tx, input.shopName);
    if (!lockedPrompt) return null;
    const { id: promptId, shopName, isPending } = lockedPrompt;
    const newestVersion = await tx.promptVersion.findFirst({
      where: { promptId },
      orderBy: { version: 'desc' },
    });
    const record = { recordType: 'prompt' as const, recordId: promptId };
    const isFormCurrent =
      (input.shown?.version ?? newestVersion?.version ?? 0) === (newestVersion?.version ?? 0);
    if (newestVersion && !isFormCurrent && newestVersion.text !== text) {
      const { version } = newestVersion;
      const loggedFields = { version, published_version: version };
      const stored = { version, text: newestVersion.text };
      throw await createEditConflict(tx, actor, { ...record, loggedFields }, stored, {});
    }
    const publishedVersion = await tx.promptVersion.findFirst({ where: { promptId, state: 'published' } });
    if (state === 'published') {
      await tx.promptVersion.updateMany({
        where: { promptId, state: 'published' },
        data: { state: 'retired' },
      });
    }
    const version = (newestVersion?.version ?? 0) + 1;
    const { id } = await tx.promptVersion.create({
      data: {
        promptId,
        version,
        text,
        state,
        createdByUserId: actor.kind === 'user' ? (actor.id ?? null) : null,
        publishedAt: state === 'published' ? new Date() : null,
      },
      select: { id: true },
    });
    await writeAuditEntry(tx, actor, {
      action: state === 'published' ? 'prompt.publish' : 'prompt.draft',
      ...record,
      before: { published_version: publishedVersion?.version ?? null },
      after: {
        shop_name: shopName,
        version,
        published_version: state === 'published' ? version : (publishedVersion?.version ?? null),
      },
    });
    return { id, shopName, isPending, version, state };
  });
}

/** Returns the published version of a shop's prompt, or null if there is none. */
export async function findPublishedVersion(
  db: Database,
  shopName: string,
): Promise<{ id: number; text: string } | null> {
  const [version] = await sql.readPublishedVersion.run(db.pool, { shopName });
  return version ?? null;
}
