import type { NotificationChannel } from '../../generated/prisma/client';
import { createReason, type Reason } from '../core/errors/reason';
import { parseStoredLocale } from '../core/locales';
import type { Log } from '../core/log';
import type { SecretBox } from '../core/secret-box';
import type { Database } from '../db/client';
import { findChannel, type OwnerId, sealContextOf } from './channel-service';
import { type Message, messageSchema } from './message';
import * as sql from './notifications.queries';
import { canReadMessage } from './permissions';
import { SendError } from './sending/send-error';
import type { Sender, Target } from './sending/sender';
import { textsIn } from './texts';
import { createUnsubscribeToken } from './unsubscribe-service';

export interface DeliveryServices {
  db: Database;
  log: Log;
  secrets: SecretBox;
  sender: Sender;
}

/** After this time, another server may take over a message. Sending takes less than a minute. */
const LEASE_SECONDS = 120;
/** The delay before each retry. */
const RETRY_SECONDS = [300, 900, 3_600, 10_800] as const;
const MAX_ATTEMPTS = RETRY_SECONDS.length + 1;
/** How many days messages are kept. */
const RETENTION_DAYS = 30;
/** The maximum number of messages that the page lists. */
const MAX_LISTED_MESSAGES = 30;

type ChannelWithUser = NotificationChannel & { user: { name: string; email: string } | null };

/** @throws SendError if the address or the signing key was sealed with a secret other than the current one */
function targetOf(secrets: SecretBox, channel: ChannelWithUser): Target {
  const { vendor, user, url, signingKey } = channel;
  if (vendor === 'email') {
    const { name, email: address } = user!;
    return {
      vendor,
      name,
      address,
      locale: parseStoredLocale(channel.locale),
      unsubscribeToken: createUnsubscribeToken(secrets, channel),
    };
  }
  const unseal = (part: 'url' | 'signing key', sealedValue: Uint8Array) => {
    try {
      return secrets.open('notification-channel', sealContextOf(channel, part), sealedValue);
    } catch (cause) {
      throw new SendError(createReason('notification.otherSecret'), 'refused', { cause });
    }
  };
  return {
    vendor,
    url: unseal('url', url!),
    signingKey: signingKey === null ? null : unseal('signing key', signingKey),
  };
}

const readChannelWithUser = (db: Database, id: number) =>
  db.prisma.notificationChannel.findUniqueOrThrow({
    where: { id },
    include: { user: { select: { name: true, email: true, role: true } } },
  });

/** Sends one message. Returns why it was not accepted, or null if it was. */
async function trySendMessage(
  { secrets, sender }: DeliveryServices,
  channel: ChannelWithUser,
  id: string,
  message: Message,
): Promise<SendError | null> {
  try {
    await sender.send(targetOf(secrets, channel), id, message);
    return null;
  } catch (error) {
    if (error instanceof SendError) return error;
    throw error;
  }
}

const interruptedError = () => new SendError(createReason('notification.interrupted'), 'refused');

const listDeactivatedUserIds = async (db: Database): Promise<number[]> =>
  (await sql.listDeactivatedUsers.run(db.pool)).map(({ id }) => id);

/** Returns how many messages {@link sendDueMessages} has to send, and for how many seconds the oldest has been due. */
export async function countDueMessages(db: Database): Promise<{ waiting: number; seconds: number }> {
  const [counts] = await sql.countDueMessages.run(db.pool, {
    deactivatedUserIds: await listDeactivatedUserIds(db),
  });
  return counts!;
}

/**
 * Sends due messages one after another until none are left or the signal aborts. Each message is claimed by one server. If that
 * server dies between sending a message and recording it, another sends it again after two minutes. A message that failed is
 * retried up to four times over about four hours, unless it was refused for good; it failed, too, if the vendor accepted it but
 * said so too late. An e-mail that is sent again has the same Message-ID, so that mail systems can drop the duplicate; chats have no
 * equivalent. A message that its reader may no longer see is deleted.
 *
 * @returns how many were sent and how many attempts failed
 */
export async function sendDueMessages(
  services: DeliveryServices,
  signal: AbortSignal,
): Promise<{ sent: number; failed: number }> {
  const { db, log } = services;
  const counts = { sent: 0, failed: 0 };
  while (!signal.aborted) {
    const deactivatedUserIds = await listDeactivatedUserIds(db);
    const [claimedMessage] = await sql.claimDueMessage.run(db.pool, {
      leaseSeconds: LEASE_SECONDS,
      deactivatedUserIds,
    });
    if (!claimedMessage) break;
    const { id, attempts, channel_id: channelId, kind } = claimedMessage;
    const message = messageSchema.parse(claimedMessage.message);
    const channel = await readChannelWithUser(db, channelId);
    if (!canReadMessage(channel.user?.role ?? null, message)) {
      // The summary is composed again, without what its reader may not see.
      await sql.deleteMessage.run(db.pool, { id });
      continue;
    }
    const failure =
      attempts > MAX_ATTEMPTS ? interruptedError() : await trySendMessage(services, channel, id, message);
    if (failure === null) {
      await sql.markMessageSent.run(db.pool, { id });
      counts.sent += 1;
      continue;
    }
    const retrySeconds = failure.kind === 'refused' ? null : (RETRY_SECONDS[attempts - 1] ?? null);
    await recordFailure(db, id, failure.reason, retrySeconds);
    counts.failed += 1;
    log.warn(
      { channelId, kind, reason: failure.reason.reason, attempts, retrySeconds },
      'notification not sent',
    );
  }
  return counts;
}

async function recordFailure(
  db: Database,
  id: string,
  reason: Reason,
  retrySeconds: number | null,
): Promise<void> {
  await sql.recordFailure.run(db.pool, { id, failure: JSON.stringify(reason), retrySeconds });
}

/**
 * Sends a test message immediately.
 *
 * @returns why it was not accepted, or null if it was
 * @throws ServiceError `not_found`
 */
export async function sendTestMessage(
  services: DeliveryServices,
  ownerId: OwnerId,
  channelId: number,
): Promise<Reason | null> {
  const { db } = services;
  const channel = await findChannel(db, ownerId, channelId);
  const message: Message = { ...textsIn(parseStoredLocale(channel.locale)).test, lines: [] };
  const [row] = await sql.addTestMessage.run(db.pool, { channelId, message: JSON.stringify(message) });
  const { id } = row!;
  const failure = await trySendMessage(services, await readChannelWithUser(db, channelId), id, message);
  if (failure) await recordFailure(db, id, failure.reason, null);
  else await sql.markMessageSent.run(db.pool, { id });
  return failure?.reason ?? null;
}

/** Returns the most recent messages of a user's channels, or of the team's, newest first. */
export async function listDeliveries(db: Database, ownerId: OwnerId) {
  const rows = await sql.listRecentMessages.run(db.pool, { userId: ownerId, limit: MAX_LISTED_MESSAGES });
  return rows.map(({ message, ...row }) => ({ ...row, title: messageSchema.parse(message).title }));
}

/** Deletes messages that are older than thirty days. */
export async function deleteOldNotifications(db: Database): Promise<void> {
  await sql.deleteOldMessages.run(db.pool, { days: RETENTION_DAYS });
}
