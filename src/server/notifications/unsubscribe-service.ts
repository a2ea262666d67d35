import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NotificationChannel } from '../../generated/prisma/client';
import { isIntegerIdText } from '../core/id-text';
import type { SecretBox } from '../core/secret-box';
import type { Database } from '../db/client';
import { deactivateChannel } from './channel-service';

const signatureOf = (secrets: SecretBox, channelId: string) =>
  createHmac('sha256', secrets.deriveKey('unsubscribe')).update(channelId).digest();

/**
 * Returns the token of an e-mail's unsubscribe link. The token is valid as long as the channel exists and the deployment keeps its
 * secret, and only for unsubscribing.
 */
export function createUnsubscribeToken(secrets: SecretBox, { id }: Pick<NotificationChannel, 'id'>): string {
  return `${id}.${signatureOf(secrets, String(id)).toString('base64url')}`;
}

/** Returns the e-mail channel that a token belongs to, or null if the token is invalid or the channel no longer exists. */
export async function findChannelByUnsubscribeToken(
  { db, secrets }: { db: Database; secrets: SecretBox },
  token: string,
): Promise<NotificationChannel | null> {
  const [, id, signatureText] = /^(\d{1,10})\.([\w-]{43})$/.exec(token) ?? [];
  if (!isIntegerIdText(id) || signatureText === undefined) return null;
  const expectedSignature = signatureOf(secrets, id);
  const submittedSignature = Buffer.from(signatureText, 'base64url');
  if (
    submittedSignature.length !== expectedSignature.length ||
    !timingSafeEqual(submittedSignature, expectedSignature)
  )
    return null;
  return db.prisma.notificationChannel.findFirst({ where: { id: Number(id), vendor: 'email' } });
}

/**
 * Switches off a user's e-mails.
 *
 * @param address the IP address of the request, for the audit log
 */
export async function unsubscribe(
  db: Database,
  channel: NotificationChannel,
  address: string,
): Promise<void> {
  const actor = { kind: 'system' as const, name: 'unsubscribe link', address };
  await deactivateChannel(db, actor, channel);
}
