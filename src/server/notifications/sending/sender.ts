import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import { createReason } from '../../core/errors/reason';
import { FIXED_PATHS } from '../../core/http/fixed-paths';
import { isHttps } from '../../core/http/web-address';
import type { Locale } from '../../core/locales';
import { VENDORS, type Vendor } from '../kind';
import type { Message } from '../message';
import { textsIn } from '../texts';
import type { ToPageUrl } from './chat-text';
import { createEmailClient } from './email-client';
import { emailHtml, emailText } from './email-text';
import { SendError } from './send-error';
import { postToChat, VENDOR_NAMES, type Webhook, type WebhookOrigins } from './webhook-client';

/** Where a message is sent. */
export type Target =
  | { vendor: 'email'; name: string; address: string; unsubscribeToken: string; locale: Locale }
  | Webhook;

/** Sends messages through the mail server and the chat vendors. */
export interface Sender {
  /** Whether a mail server is configured. */
  readonly hasEmail: boolean;
  readonly origins: WebhookOrigins;
  /**
   * Sends a message once, in less than a minute.
   *
   * @param id the message's id, from which the e-mail's Message-ID is derived
   * @throws SendError
   */
  send(target: Target, id: string, message: Message): Promise<void>;
}

export interface SenderSettings {
  smtp: { url: string; from: string } | null;
  origins: WebhookOrigins;
  appUrl: string;
  /** The path of the back office; `/admin` by default. */
  adminPrefix: string;
  /** The clock for DingTalk's signatures, in milliseconds since the Unix epoch. */
  now?: () => number;
}

/** After how many consecutive outages a vendor is not called for {@link PAUSE_MS}. */
const OUTAGES_TO_OPEN_CIRCUIT = 5;
const PAUSE_MS = 5 * 60_000;

const nameOf = (vendor: Vendor) => (vendor === 'email' ? 'SMTP' : VENDOR_NAMES[vendor]);

/** Creates the sender for e-mail and chats. After five outages in a row, a vendor is not called for five minutes. */
export function createSender(settings: SenderSettings): Sender {
  const { appUrl, adminPrefix, origins, smtp, now = Date.now } = settings;
  const toPageUrl: ToPageUrl = (path) => appUrl + adminPrefix + path;
  const sendEmail = smtp && createEmailClient(smtp);
  const breakerByVendor = new Map(
    VENDORS.map((vendor) => [
      vendor,
      circuitBreaker(
        handleWhen((error) => error instanceof SendError && error.kind === 'outage'),
        { halfOpenAfter: PAUSE_MS, breaker: new ConsecutiveBreaker(OUTAGES_TO_OPEN_CIRCUIT) },
      ),
    ]),
  );

  async function mailMessage(target: Extract<Target, { vendor: 'email' }>, id: string, message: Message) {
    if (!sendEmail) throw new SendError(createReason('notification.noEmail'), 'refused');
    const { footer } = textsIn(target.locale);
    const unsubscribeUrl = `${appUrl}${FIXED_PATHS.unsubscribe}?token=${encodeURIComponent(target.unsubscribeToken)}`;
    const footerContent = {
      text: footer.text,
      links: [
        { text: footer.settings, url: toPageUrl('/account/notifications') },
        { text: footer.unsubscribe, url: unsubscribeUrl },
      ],
    };
    await sendEmail({
      to: { name: target.name, address: target.address },
      subject: message.title,
      text: emailText(message, footerContent, toPageUrl),
      html: emailHtml(message, footerContent, toPageUrl, target.locale),
      messageId: `<notification-${id}@${new URL(appUrl).hostname}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        // RFC 8058 allows one-click unsubscribing only over HTTPS.
        ...(isHttps(appUrl) ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
      },
    });
  }

  return {
    hasEmail: smtp !== null,
    origins,
    async send(target, id, message) {
      try {
        await breakerByVendor
          .get(target.vendor)!
          .execute(() =>
            target.vendor === 'email'
              ? mailMessage(target, id, message)
              : postToChat(target, message, toPageUrl, now()),
          );
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error;
        throw new SendError(createReason('notification.paused', { name: nameOf(target.vendor) }), 'later', {
          cause: error,
        });
      }
    },
  };
}
