import { type Actor, writeAudit } from '../audit/audit';
import { validationError } from '../core/errors';
import type { Database } from '../db/client';

/** A shop account; `id` is the reference's account_id, `shopId` the marketplace's own text for the shop. */
export interface Account {
  id: number;
  name: string;
  shopId: string | null;
  createdAt: Date;
}

const SELECT = { id: true, name: true, shopId: true, createdAt: true } as const;

type Transaction = Parameters<Parameters<Database['prisma']['$transaction']>[0]>[0];

/**
 * Sees to it that no other shop has the name or the shop_id, until the transaction ends: whoever else makes or names a shop
 * waits.
 *
 * @param own the shop that may have them; null for a new one
 * @throws ServiceError `validation_failed` naming the shop that has it
 */
export async function requireFree(
  tx: Transaction,
  { name, shopId }: { name?: string | undefined; shopId?: string | null | undefined },
  own: number | null,
): Promise<void> {
  await tx.$executeRaw`LOCK TABLE shops IN SHARE ROW EXCLUSIVE MODE`;
  const taken = await tx.shop.findFirst({
    where: {
      OR: [...(name === undefined ? [] : [{ name }]), ...(shopId ? [{ shopId }] : [])],
      ...(own === null ? {} : { id: { not: own } }),
    },
  });
  if (!taken) return;
  const path = taken.name === name ? 'name' : 'shop_id';
  const archived = taken.archivedAt ? ', which is archived' : '';
  throw validationError([{ path, message: `is taken by account ${taken.id}${archived}; choose another` }]);
}

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
    await requireFree(tx, input, null);
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
