import type { Prisma } from '../../generated/prisma/client';
import { type Actor, writeAuditEntry } from '../audit/service';
import { invalidField } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Database } from '../db/client';
import { requireTimeZone } from '../db/time-zones';
import { lockShopNames } from './lock-service';
import { adoptPrompt } from './name-service';

/** A shop. `id` is the API's account_id, and `shopId` is the marketplace's own id for the shop. */
export interface ApiShop {
  id: number;
  name: string;
  shopId: string | null;
  currency: string | null;
  timeZone: string;
  createdAt: Date;
}

const SHOP_FIELDS = {
  id: true,
  name: true,
  shopId: true,
  currency: true,
  timeZone: true,
  createdAt: true,
} as const;

interface RequestedNames {
  name?: string | undefined;
  shopId?: string | null | undefined;
}

/**
 * Checks that no other shop has this name or shop_id, or formerly had this name. Until the transaction ends, other transactions
 * that create or rename a shop, or set a prompt for a name that no shop has, have to wait.
 *
 * @param ownId the id of the shop being saved, which may already have the name and the shop_id; null for a new shop
 * @throws ServiceError `validation_failed` with the id of the shop that has the name or the shop_id or had the name, or if a
 * prompt is waiting for a shop with this name and the shop already has one
 */
export async function requireFreeNames(
  tx: Prisma.TransactionClient,
  { name, shopId }: RequestedNames,
  ownId: number | null,
): Promise<void> {
  await lockShopNames(tx);
  const otherShopCondition = ownId === null ? {} : { id: { not: ownId } };
  const otherShop = await tx.shop.findFirst({
    where: {
      OR: [...(name === undefined ? [] : [{ name }]), ...(shopId ? [{ shopId }] : [])],
      ...otherShopCondition,
    },
  });
  if (otherShop) {
    const reasonKey = otherShop.archivedAt ? 'shop.archivedTaken' : 'shop.taken';
    throw invalidField(
      otherShop.name === name ? 'name' : 'shop_id',
      createReason(reasonKey, { id: otherShop.id }),
    );
  }
  if (name === undefined) return;
  const formerName = await tx.shopFormerName.findUnique({ where: { name } });
  if (formerName && formerName.shopId !== ownId)
    throw invalidField('name', createReason('shop.formerName', { id: formerName.shopId }));
  if (ownId === null || !(await tx.prompt.findUnique({ where: { shopName: name } }))) return;
  if (await tx.prompt.findUnique({ where: { shopId: ownId } }))
    throw invalidField('name', createReason('shop.twoPrompts'));
}

/** The input for a new shop. Without a currency, the shop later gets that of its orders if they have exactly one known currency. */
export interface NewShop {
  name: string;
  shopId?: string | undefined;
  currency?: string | undefined;
  timeZone?: string | undefined;
}

/**
 * Creates a shop. A prompt waiting under its name becomes the shop's.
 *
 * @throws ServiceError `validation_failed` if the name or the shop_id is taken, or the time zone is unknown
 */
export async function createShop(db: Database, actor: Actor, input: NewShop): Promise<ApiShop> {
  return db.prisma.$transaction(async (tx) => {
    const timeZone = await requireTimeZone(tx, input.timeZone);
    await requireFreeNames(tx, input, null);
    const { name, shopId = null, currency = null } = input;
    const shop = await tx.shop.create({
      data: { name, shopId, currency, ...(timeZone === undefined ? {} : { timeZone }) },
      select: SHOP_FIELDS,
    });
    await adoptPrompt(tx, shop.id, name);
    await writeAuditEntry(tx, actor, {
      action: 'account.create',
      recordType: 'account',
      recordId: shop.id,
      after: {
        name: shop.name,
        shop_id: shop.shopId,
        currency: shop.currency,
        time_zone: shop.timeZone,
      },
    });
    return shop;
  });
}

/** Returns all shops, oldest first. */
export async function listApiShops(db: Database): Promise<ApiShop[]> {
  return db.prisma.shop.findMany({ select: SHOP_FIELDS, orderBy: { id: 'asc' } });
}
