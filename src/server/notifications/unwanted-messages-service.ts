import { isDeepStrictEqual } from 'node:util';
import type { NotificationChannel, Prisma } from '../../generated/prisma/client';

/**
 * Deletes the channel's unsent messages of kinds that it no longer sends, and forgets which entries alerts of these kinds have
 * reported. If its shops have changed, does the same with all kinds that have an unsent message, which may be about another shop:
 * they are composed again. A message that is being sent counts as unsent, because it would be sent again if that fails.
 */
export async function deleteUnwantedMessages(
  tx: Prisma.TransactionClient,
  channel: NotificationChannel,
  previousShopIds: readonly number[] = channel.shopIds,
): Promise<void> {
  const unsentFilter = { state: { in: ['waiting' as const, 'sending' as const] } };
  const shopsChanged = !isDeepStrictEqual(previousShopIds, channel.shopIds);
  const outdatedMessages = shopsChanged
    ? await tx.notification.findMany({
        where: { channelId: channel.id, ...unsentFilter },
        select: { kind: true },
      })
    : [];
  const outdatedKinds = new Set(outdatedMessages.map(({ kind }) => kind));
  const kinds = channel.active ? channel.kinds.filter((kind) => !outdatedKinds.has(kind)) : [];
  const unwantedFilter = { channelId: channel.id, kind: { notIn: [...kinds, 'test' as const] } };
  await tx.notificationEntry.deleteMany({ where: unwantedFilter });
  await tx.notification.deleteMany({ where: { ...unwantedFilter, ...unsentFilter } });
}
