import { validationError } from '../core/errors';
import type { Database } from '../db/client';
import { type Actor, writeAudit } from '../identity/audit';

/** A shop account; `id` is the reference's account_id, `shopId` the marketplace's own text for the shop. */
export interface Account {
  id: number;
  name: string;
  shopId: string | null;
  createdAt: Date;
}

const SELECT = { id: true, name: true, shopId: true, createdAt: true } as const;

/**
 * Makes a shop account.
 *
 * @throws ServiceError `validation_failed` where the name or the shop_id is taken
 */
export async function createAccount(
  db: Database,
  actor: Actor,
  input: { name: string; shopId?: string },
): Promise<Account> {
  return db.prisma.$transaction(async (tx) => {
    const taken = await tx.shop.findFirst({
      where: {
        OR: [{ name: input.name }, ...(input.shopId === undefined ? [] : [{ shopId: input.shopId }])],
      },
    });
    if (taken) {
      const path = taken.name === input.name ? 'name' : 'shop_id';
      throw validationError([{ path, message: `is taken by account ${taken.id}; choose another` }]);
    }
    const account = await tx.shop.create({
      data: { name: input.name, shopId: input.shopId ?? null },
      select: SELECT,
    });
    await writeAudit(tx, actor, {
      action: 'account.create',
      recordType: 'account',
      recordId: account.id,
      after: { name: account.name, shop_id: account.shopId },
    });
    return account;
  });
}

/** All shop accounts, oldest first. */
export async function listAccounts(db: Database): Promise<Account[]> {
  return db.prisma.shop.findMany({ select: SELECT, orderBy: { id: 'asc' } });
}
