import { parseStoredLocale } from '../core/locales';
import type { Database } from '../db/client';
import type { Role } from '../identity/schema';
import type { Kind } from './kind';
import type { Reader } from './summary';

/** The fields of a channel that are needed to write its messages. */
export interface Channel {
  id: number;
  kinds: readonly Kind[];
  /** Null for all shops. */
  shopIds: number[] | null;
  sendAt: string;
  timeZone: string;
  emptyDays: boolean;
  summaryFrom: Date;
  reader: Reader;
  /** The user's role. Null for a channel of the team. */
  role: Role | null;
}

/** Returns the active channels of the team and of active users, without e-mail channels if there is no mail server. */
export async function listActiveChannels(db: Database, hasEmail: boolean): Promise<Channel[]> {
  const [channels, shops] = await Promise.all([
    db.prisma.notificationChannel.findMany({
      where: {
        active: true,
        OR: [{ userId: null }, { user: { deactivatedAt: null } }],
        ...(hasEmail ? {} : { vendor: { not: 'email' } }),
      },
      include: { user: { select: { role: true } } },
      orderBy: { id: 'asc' },
    }),
    db.prisma.shop.findMany({ select: { id: true, name: true }, orderBy: { name: 'asc' } }),
  ]);
  return channels.map(({ user, shopIds, kinds, locale, ...channel }) => ({
    id: channel.id,
    kinds: kinds as Kind[],
    shopIds: shopIds.length > 0 ? shopIds : null,
    sendAt: channel.sendAt,
    timeZone: channel.timeZone,
    emptyDays: channel.emptyDays,
    summaryFrom: channel.summaryFrom,
    reader: {
      locale: parseStoredLocale(locale),
      timeZone: channel.timeZone,
      shops: shops.filter(({ id }) => shopIds.includes(id)),
    },
    role: user?.role ?? null,
  }));
}
