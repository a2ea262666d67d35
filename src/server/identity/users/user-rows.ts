import type { Prisma, User } from '../../../generated/prisma/client';

// Rows are read back with a separate statement: on a cluster (docs/distribution.md), a statement that changes a row cannot
// return its role.

/** Adds a user and returns the row. */
export async function addUserRow(
  tx: Prisma.TransactionClient,
  data: Prisma.UserUncheckedCreateInput,
): Promise<User> {
  const { id } = await tx.user.create({ data, select: { id: true } });
  return tx.user.findUniqueOrThrow({ where: { id } });
}

/** Changes an existing user and returns the row. */
export async function changeUserRow(
  tx: Prisma.TransactionClient,
  id: number,
  data: Prisma.UserUncheckedUpdateInput,
): Promise<User> {
  await tx.user.update({ where: { id }, data, select: { id: true } });
  return tx.user.findUniqueOrThrow({ where: { id } });
}
