import type { NotificationChannel, Prisma } from '../../generated/prisma/client';
import { requireUnchanged } from '../audit/edit-conflict-service';
import { type Actor, writeAuditEntry, writeAuditEntryIfChanged } from '../audit/service';
import { invalidField, notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { sentenceOf } from '../core/errors/sentence';
import type { SecretBox } from '../core/secret-box';
import type { Database } from '../db/client';
import { requireTimeZone } from '../db/time-zones';
import { isUniqueViolation } from '../db/unique-violation';
import type { Vendor, WebhookVendor } from './kind';
import { lockChannel } from './notifications.queries';
import type { ChannelInput } from './schema';
import type { Sender } from './sending/sender';
import { EXAMPLE_PATHS, isWebhookOf, VENDOR_NAMES } from './sending/webhook-client';
import { deleteUnwantedMessages } from './unwanted-messages-service';

/** The maximum number of channels for each user, and for the team. */
const MAX_CHANNELS = 50;

/** The id of the user who owns a channel, or null for the team. */
export type OwnerId = number | null;

interface ChannelServices {
  db: Database;
  secrets: SecretBox;
  sender: Sender;
}

/**
 * Returns the context with which an address or signing key is sealed, so that the sealed value cannot be moved to a channel of
 * another owner or vendor.
 */
export const sealContextOf = (
  channel: Pick<NotificationChannel, 'userId' | 'vendor'>,
  part: 'url' | 'signing key',
) => `${channel.vendor} ${part} of ${channel.userId === null ? 'the team' : `user ${channel.userId}`}`;

/** Returns the channels of a user, or of the team. */
export function listChannels(db: Database, ownerId: OwnerId): Promise<NotificationChannel[]> {
  return db.prisma.notificationChannel.findMany({ where: { userId: ownerId }, orderBy: { id: 'asc' } });
}

/** Returns the settings of a channel for the audit log, which never contains a webhook's address. */
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

function requireWebhookUrl(vendor: WebhookVendor, url: string, { origins }: Sender): void {
  if (isWebhookOf(vendor, url, origins)) return;
  const values = { vendor: VENDOR_NAMES[vendor], example: origins[vendor] + EXAMPLE_PATHS[vendor] };
  throw invalidField('url', createReason('notification.url', values));
}

/**
 * Validates the address and the signing key, and returns them sealed for storage. Leaves out what does not change; a
 * new address without a key removes the stored key.
 */
function sealSecrets(
  { secrets, sender }: ChannelServices,
  ownerId: OwnerId,
  input: ChannelInput,
  storedChannel: NotificationChannel | null,
) {
  const { vendor, url, signing_key: signingKey } = input;
  if (vendor === 'email') {
    if (ownerId === null) throw invalidField('vendor', createReason('notification.teamEmail'));
    if (!sender.hasEmail) throw invalidField('vendor', createReason('notification.noEmail'));
    return { url: null, signingKey: null };
  }
  if (url === undefined && storedChannel === null) throw invalidField('url', createReason('csv.required'));
  if (url !== undefined) requireWebhookUrl(vendor, url, sender);
  if (signingKey !== undefined && vendor !== 'dingtalk')
    throw invalidField('signing_key', createReason('notification.noSigning'));
  const seal = (part: 'url' | 'signing key', text: string) =>
    secrets.seal('notification-channel', sealContextOf({ userId: ownerId, vendor }, part), text);
  return {
    ...(url === undefined ? {} : { url: seal('url', url), signingKey: null }),
    ...(signingKey === undefined ? {} : { signingKey: seal('signing key', signingKey) }),
  };
}

async function requireShops(tx: Pick<Database['prisma'], 'shop'>, ids: readonly number[]): Promise<void> {
  const shops = await tx.shop.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  const missingId = ids.find((id) => !shops.some((shop) => shop.id === id));
  if (missingId !== undefined)
    throw invalidField('shop_ids', createReason('answer.noShop', { id: missingId }));
}

async function findOwnChannel(
  tx: Pick<Prisma.TransactionClient, 'notificationChannel'>,
  ownerId: OwnerId,
  id: number,
) {
  const channel = await tx.notificationChannel.findFirst({ where: { id, userId: ownerId } });
  if (!channel) throw notFound(createReason('notification.noChannel', { id }));
  return channel;
}

const includesSummary = (channel: Pick<NotificationChannel, 'active' | 'kinds'> | null) =>
  channel?.active === true && channel.kinds.includes('summary');

/**
 * Adds or changes a channel. The vendor of an existing channel cannot change.
 *
 * @throws ServiceError `not_found`; `conflict` if it would overwrite values other than those in `shown`; `validation_failed` for,
 * among other things, an address that is not a webhook of the vendor, an unknown shop, a second e-mail channel, or one channel too
 * many
 */
export async function saveChannel(
  services: ChannelServices,
  actor: Actor,
  ownerId: OwnerId,
  input: ChannelInput,
  now: number,
): Promise<NotificationChannel> {
  const { vendor, name } = input;
  return services.db.prisma
    .$transaction(async (tx) => {
      if (input.id !== undefined) await lockChannel.runIn(tx, { id: input.id });
      const storedChannel = input.id === undefined ? null : await findOwnChannel(tx, ownerId, input.id);
      const record = { recordType: 'notification_channel' as const };
      if (storedChannel)
        await requireUnchanged(
          tx,
          actor,
          { ...record, recordId: storedChannel.id },
          { shown: input.shown, stored: auditView(storedChannel), newValues: input },
        );
      if (storedChannel && storedChannel.vendor !== vendor)
        throw invalidField('vendor', createReason('notification.otherVendor'));
      if (
        !storedChannel &&
        (await tx.notificationChannel.count({ where: { userId: ownerId } })) >= MAX_CHANNELS
      )
        throw invalidField('vendor', createReason('notification.tooMany', { count: MAX_CHANNELS }));
      await requireShops(tx, input.shop_ids);
      const settings = {
        name: name ?? storedChannel?.name ?? defaultNameOf(vendor),
        kinds: [...new Set(input.kinds)],
        shopIds: [...new Set(input.shop_ids)],
        sendAt: input.send_at,
        timeZone: await requireTimeZone(tx, input.time_zone),
        locale: input.locale,
        emptyDays: input.empty_days,
        active: input.active,
        ...(includesSummary(storedChannel) ? {} : { summaryFrom: new Date(now) }),
        ...sealSecrets(services, ownerId, input, storedChannel),
      };
      const channel = storedChannel
        ? await tx.notificationChannel.update({ where: { id: storedChannel.id }, data: settings })
        : await tx.notificationChannel.create({ data: { userId: ownerId, vendor, ...settings } });
      await deleteUnwantedMessages(tx, channel, storedChannel?.shopIds);
      const entry = { ...record, recordId: channel.id, after: auditView(channel) };
      if (!storedChannel) {
        await writeAuditEntry(tx, actor, { action: 'notification_channel.create', ...entry });
        return channel;
      }
      const updateEntry = {
        action: 'notification_channel.update' as const,
        ...entry,
        before: auditView(storedChannel),
      };
      // A new URL or signing key gets an entry even if nothing else has changed: entries contain no secrets, so before and after may
      // be equal.
      if (input.url !== undefined || input.signing_key !== undefined)
        await writeAuditEntry(tx, actor, updateEntry);
      else await writeAuditEntryIfChanged(tx, actor, updateEntry);
      return channel;
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? invalidField('vendor', createReason('notification.oneEmail')) : error;
    });
}

const defaultNameOf = (vendor: Vendor) => (vendor === 'email' ? 'E-mail' : sentenceOf(VENDOR_NAMES[vendor]));

/** Removes a channel with its messages. @throws ServiceError `not_found` */
export async function removeChannel(db: Database, actor: Actor, ownerId: OwnerId, id: number): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const channel = await findOwnChannel(tx, ownerId, id);
    await tx.notificationChannel.delete({ where: { id } });
    await writeAuditEntry(tx, actor, {
      action: 'notification_channel.remove',
      recordType: 'notification_channel',
      recordId: id,
      before: auditView(channel),
    });
  });
}

/** Returns a channel of a user, or of the team. @throws ServiceError `not_found` */
export const findChannel = (db: Database, ownerId: OwnerId, id: number) =>
  findOwnChannel(db.prisma, ownerId, id);

/** Deactivates a channel for an unsubscribe link, whose visitor need not be signed in. Does nothing if it is already inactive. */
export async function deactivateChannel(
  db: Database,
  actor: Actor,
  channel: NotificationChannel,
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.notificationChannel.updateMany({
      where: { id: channel.id, active: true },
      data: { active: false },
    });
    if (count === 0) return;
    await deleteUnwantedMessages(tx, { ...channel, active: false });
    await writeAuditEntry(tx, actor, {
      action: 'notification_channel.unsubscribe',
      recordType: 'notification_channel',
      recordId: channel.id,
    });
  });
}
