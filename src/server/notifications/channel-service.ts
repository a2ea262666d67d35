import type { NotificationChannel } from '../../generated/prisma/client';
import { type Actor, writeAudit } from '../audit/audit';
import { requireUnchanged } from '../audit/unchanged-service';
import { invalidField, notFound } from '../core/errors/errors';
import { because } from '../core/errors/reason';
import { sentenceOf } from '../core/errors/sentence';
import { storedLocale } from '../core/locales';
import type { SecretBox } from '../core/secret-box';
import { isTaken } from '../core/unique';
import type { Database } from '../db/client';
import type { Role } from '../identity/schema';
import type { Kind, Vendor, WebhookVendor } from './kind';
import { lockOwnChannel } from './notifications.queries';
import type { ChannelInput } from './schema';
import type { Sender } from './sending/sender';
import { EXAMPLES, isWebhookOf, VENDOR_NAMES } from './sending/webhook-client';
import type { Reader } from './summary';

/** The most channels of a user, and of the team. */
const MAX_CHANNELS = 50;

/** Whose channels: a user's own, or the team's if null. */
export type Owner = number | null;

/** What is needed to write a channel's messages. */
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
  /** The user's role; null for a channel of the team. */
  role: Role | null;
}

interface Services {
  db: Database;
  secrets: SecretBox;
  sender: Sender;
}

/** A sealed address belongs to its owner and vendor, and can be moved to no other. */
export const sealedFor = (
  channel: Pick<NotificationChannel, 'userId' | 'vendor'>,
  what: 'url' | 'signing key',
) => `${channel.vendor} ${what} of ${channel.userId === null ? 'the team' : `user ${channel.userId}`}`;

/** Returns the active channels of people who still work here, without those that need a mail server if there is none. */
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
      locale: storedLocale(locale),
      timeZone: channel.timeZone,
      shops: shops.filter(({ id }) => shopIds.includes(id)),
    },
    role: user?.role ?? null,
  }));
}

/** Returns the channels of a user, or of the team. */
export function listChannels(db: Database, owner: Owner): Promise<NotificationChannel[]> {
  return db.prisma.notificationChannel.findMany({ where: { userId: owner }, orderBy: { id: 'asc' } });
}

/** The audit log says what was chosen, never where a webhook is. */
const auditView = (channel: NotificationChannel) => ({
  vendor: channel.vendor,
  name: channel.name,
  team: channel.userId === null,
  kinds: channel.kinds,
  shop_ids: channel.shopIds,
  send_at: channel.sendAt,
  time_zone: channel.timeZone,
  locale: channel.locale,
  empty_days: channel.emptyDays,
  active: channel.active,
});

function requireWebhook(vendor: WebhookVendor, url: string, { origins }: Sender): void {
  if (isWebhookOf(vendor, url, origins)) return;
  const values = { vendor: VENDOR_NAMES[vendor], example: origins[vendor] + EXAMPLES[vendor] };
  throw invalidField('url', because('notification.url', values));
}

/** Returns the sealed address and signing key that a channel has from now on. */
function secretsOf(
  { secrets, sender }: Services,
  owner: Owner,
  input: ChannelInput,
  before: NotificationChannel | null,
) {
  const { vendor, url, signing_key: key } = input;
  if (vendor === 'email') {
    if (owner === null) throw invalidField('vendor', because('notification.teamEmail'));
    if (!sender.hasEmail) throw invalidField('vendor', because('notification.noEmail'));
    return { url: null, signingKey: null };
  }
  if (url === undefined && before === null) throw invalidField('url', because('csv.required'));
  if (url !== undefined) requireWebhook(vendor, url, sender);
  if (key !== undefined && vendor !== 'dingtalk')
    throw invalidField('signing_key', because('notification.noSigning'));
  const seal = (what: 'url' | 'signing key', text: string) =>
    secrets.seal('notification-channel', sealedFor({ userId: owner, vendor }, what), text);
  return {
    ...(url === undefined ? {} : { url: seal('url', url), signingKey: null }),
    ...(key === undefined ? {} : { signingKey: seal('signing key', key) }),
  };
}

async function requireShops(tx: Pick<Database['prisma'], 'shop'>, ids: readonly number[]): Promise<void> {
  const found = await tx.shop.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  const missing = ids.find((id) => !found.some((shop) => shop.id === id));
  if (missing !== undefined) throw invalidField('shop_ids', because('answer.noShop', { id: missing }));
}

type Transaction = Parameters<Parameters<Database['prisma']['$transaction']>[0]>[0];

async function findOwn(tx: Pick<Transaction, 'notificationChannel'>, owner: Owner, id: number) {
  const channel = await tx.notificationChannel.findFirst({ where: { id, userId: owner } });
  if (!channel) throw notFound(because('notification.noChannel', { id }));
  return channel;
}

/** Forgets what a channel no longer wants: messages that wait, and what it was alerted of. */
async function forget(tx: Transaction, channel: NotificationChannel): Promise<void> {
  const kinds = channel.active ? channel.kinds : [];
  const unwanted = { channelId: channel.id, kind: { notIn: [...kinds, 'test' as const] } };
  await tx.notificationEntry.deleteMany({ where: unwanted });
  await tx.notification.deleteMany({ where: { ...unwanted, state: 'waiting' } });
}

const chooses = (channel: Pick<NotificationChannel, 'active' | 'kinds'> | null) =>
  channel?.active === true && channel.kinds.includes('summary');

/**
 * Adds or changes a channel. Its vendor stays what it was.
 *
 * @throws ServiceError `not_found`; `conflict` if the channel is no longer as `shown`; `validation_failed` for an address that is not a
 * webhook of the vendor, unknown shops, a second e-mail channel
 */
export async function saveChannel(
  services: Services,
  actor: Actor,
  owner: Owner,
  input: ChannelInput,
  now: number,
): Promise<NotificationChannel> {
  const { vendor, name } = input;
  return services.db.prisma
    .$transaction(async (tx) => {
      if (input.id !== undefined) await lockOwnChannel.runIn(tx, { id: input.id });
      const before = input.id === undefined ? null : await findOwn(tx, owner, input.id);
      const record = { recordType: 'notification_channel' as const };
      if (before)
        await requireUnchanged(
          tx,
          actor,
          { ...record, recordId: before.id },
          { shown: input.shown, stored: auditView(before), wanted: input },
        );
      if (before && before.vendor !== vendor)
        throw invalidField('vendor', because('notification.otherVendor'));
      if (!before && (await tx.notificationChannel.count({ where: { userId: owner } })) >= MAX_CHANNELS)
        throw invalidField('vendor', because('notification.tooMany', { count: MAX_CHANNELS }));
      await requireShops(tx, input.shop_ids);
      const choice = {
        name: name ?? before?.name ?? nameOf(vendor),
        kinds: [...new Set(input.kinds)],
        shopIds: [...new Set(input.shop_ids)],
        sendAt: input.send_at,
        timeZone: input.time_zone,
        locale: input.locale,
        emptyDays: input.empty_days,
        active: input.active,
        ...(chooses(before) ? {} : { summaryFrom: new Date(now) }),
        ...secretsOf(services, owner, input, before),
      };
      const channel = before
        ? await tx.notificationChannel.update({ where: { id: before.id }, data: choice })
        : await tx.notificationChannel.create({ data: { userId: owner, vendor, ...choice } });
      await forget(tx, channel);
      await writeAudit(tx, actor, {
        action: before ? 'notification_channel.update' : 'notification_channel.create',
        ...record,
        recordId: channel.id,
        ...(before ? { before: auditView(before) } : {}),
        after: auditView(channel),
      });
      return channel;
    })
    .catch((error: unknown) => {
      throw isTaken(error) ? invalidField('vendor', because('notification.oneEmail')) : error;
    });
}

const nameOf = (vendor: Vendor) => (vendor === 'email' ? 'E-mail' : sentenceOf(VENDOR_NAMES[vendor]));

/** Removes a channel with its messages. @throws ServiceError `not_found` */
export async function removeChannel(db: Database, actor: Actor, owner: Owner, id: number): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const channel = await findOwn(tx, owner, id);
    await tx.notificationChannel.delete({ where: { id } });
    await writeAudit(tx, actor, {
      action: 'notification_channel.remove',
      recordType: 'notification_channel',
      recordId: id,
      before: auditView(channel),
    });
  });
}

/** Returns a channel of a user, or of the team. @throws ServiceError `not_found` */
export const findChannel = (db: Database, owner: Owner, id: number) => findOwn(db.prisma, owner, id);

/** Switches a channel off for somebody who may not be signed in. Doing so again changes nothing. */
export async function switchOff(db: Database, actor: Actor, channel: NotificationChannel): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.notificationChannel.updateMany({
      where: { id: channel.id, active: true },
      data: { active: false },
    });
    if (count === 0) return;
    await forget(tx, { ...channel, active: false });
    await writeAudit(tx, actor, {
      action: 'notification_channel.unsubscribe',
      recordType: 'notification_channel',
      recordId: channel.id,
    });
  });
}
