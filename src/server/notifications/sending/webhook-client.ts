import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { createReason, type Reason } from '../../core/errors/reason';
import { readResponseText } from '../../core/http/limited-body';
import { truncate } from '../../core/text/text';
import type { WebhookVendor } from '../kind';
import type { Message } from '../message';
import { chatText, DIALECTS, type ToPageUrl } from './chat-text';
import { SendError } from './send-error';

/** The origins of the vendors' webhooks. */
export type WebhookOrigins = Readonly<Record<WebhookVendor, string>>;

/** A webhook of a group chat. */
export interface Webhook {
  vendor: WebhookVendor;
  url: string;
  /** The secret of a DingTalk robot that requires signed messages. Null for all others. */
  signingKey: string | null;
}

/** Patterns of what follows the origin in the vendors' webhook addresses. No other address can be saved. */
const PATH_PATTERNS: Record<WebhookVendor, RegExp> = {
  wecom: /^\/cgi-bin\/webhook\/send\?key=[\w-]{8,200}$/,
  dingtalk: /^\/robot\/send\?access_token=[\w-]{8,200}$/,
  slack: /^\/services\/[\w-]{1,100}\/[\w-]{1,100}\/[\w-]{1,100}$/,
};

/** The vendors' names. They are reasons, so that each reader sees the name used in their language. */
export const VENDOR_NAMES: Record<WebhookVendor, Reason> = {
  wecom: createReason('chat.wecom'),
  dingtalk: createReason('chat.dingtalk'),
  slack: createReason('chat.slack'),
};

/** Examples of what follows the origin, for error messages. */
export const EXAMPLE_PATHS: Record<WebhookVendor, string> = {
  wecom: '/cgi-bin/webhook/send?key=…',
  dingtalk: '/robot/send?access_token=…',
  slack: '/services/T…/B…/…',
};

/** Returns whether an address is a webhook of this vendor. */
export function isWebhookOf(vendor: WebhookVendor, url: string, origins: WebhookOrigins): boolean {
  return url.startsWith(origins[vendor]) && PATH_PATTERNS[vendor].test(url.slice(origins[vendor].length));
}

const TIMEOUT_MS = 10_000;
/** Real responses are a few hundred bytes long. */
const MAX_RESPONSE_LENGTH = 65_536;
const MAX_DETAIL_LENGTH = 200;

/** WeCom's and DingTalk's codes for "busy" and "too many messages per minute", after which a retry may succeed. */
const TRANSIENT_CODES = new Set([-1, 45009, 45033, 130101, 410100]);

const responseSchema = z.object({ errcode: z.number(), errmsg: z.string().optional() });

/**
 * Returns the address with DingTalk's signature: the HMAC-SHA256 of the time in milliseconds, a line feed and the secret, keyed
 * with the secret.
 */
export function signUrl(url: string, signingKey: string, now: number): string {
  const signature = createHmac('sha256', signingKey).update(`${now}\n${signingKey}`).digest('base64');
  return `${url}&timestamp=${now}&sign=${encodeURIComponent(signature)}`;
}

function bodyOf(vendor: WebhookVendor, message: Message, toPageUrl: ToPageUrl): object {
  const text = chatText(message, DIALECTS[vendor], toPageUrl);
  switch (vendor) {
    case 'wecom':
      return { msgtype: 'markdown', markdown: { content: text } };
    case 'dingtalk':
      return { msgtype: 'markdown', markdown: { title: DIALECTS.dingtalk.escapeText(message.title), text } };
    case 'slack':
      return { text, unfurl_links: false, unfurl_media: false };
  }
}

/**
 * Throws SendError unless the vendor's response says that the message was accepted. WeCom and DingTalk return 200 for errors,
 * too.
 */
function requireAcceptance({ vendor, url }: Webhook, status: number, text: string): void {
  const name = VENDOR_NAMES[vendor];
  // A response may repeat the secret part of the address.
  const secrets = url.split(/[/=?]/).filter((part) => part.length >= 8);
  const safeDetail = (detail: string) =>
    truncate(
      secrets.reduce(
        (safeText, secret) => safeText.replaceAll(secret, '…'),
        detail.replace(/\s+/g, ' ').trim(),
      ),
      MAX_DETAIL_LENGTH,
    );
  if (status === 429) throw new SendError(createReason('notification.limited', { name }), 'later');
  if (status >= 500) throw new SendError(createReason('notification.failing', { name, status }), 'outage');
  const refusedError = (detail: string) =>
    new SendError(createReason('notification.refused', { name, detail: safeDetail(detail) }), 'refused');
  if (vendor === 'slack') {
    if (status !== 200 || text.trim() !== 'ok') throw refusedError(`${status} ${text}`);
    return;
  }
  if (status !== 200) throw refusedError(String(status));
  const { data: result } = responseSchema.safeParse(parseJson(text));
  if (!result) throw new SendError(createReason('notification.unreadable', { name }), 'later');
  if (TRANSIENT_CODES.has(result.errcode))
    throw new SendError(createReason('notification.limited', { name }), 'later');
  if (result.errcode !== 0) throw refusedError(`${result.errcode} ${result.errmsg ?? ''}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Posts a message to a group chat within ten seconds. Redirects are not followed, so no other host is called.
 *
 * @throws SendError unless the vendor says that the message was accepted
 */
export async function postToChat(
  webhook: Webhook,
  message: Message,
  toPageUrl: ToPageUrl,
  now: number,
): Promise<void> {
  const { vendor, url, signingKey } = webhook;
  const name = VENDOR_NAMES[vendor];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let status: number;
  let text: string;
  try {
    const response = await fetch(signingKey === null ? url : signUrl(url, signingKey, now), {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(bodyOf(vendor, message, toPageUrl)),
      redirect: 'manual',
      signal,
    });
    status = response.status;
    text = await readResponseText(response, MAX_RESPONSE_LENGTH);
  } catch (cause) {
    const reason = signal.aborted
      ? createReason('notification.slow', { name })
      : createReason('notification.unreachable', { name });
    throw new SendError(reason, 'outage', { cause });
  }
  requireAcceptance(webhook, status, text);
}
