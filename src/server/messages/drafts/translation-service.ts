import type { z } from 'zod';
import type { Actor } from '../../audit/service';
import { checkReply } from '../claims/fact-check';
import { findLostClaims } from '../claims/lost-claims';
import { selectTurns } from '../conversation';
import { readReplyFacts } from '../facts-service';
import { findPublishedVersion } from '../prompts/service';
import { type MessageServices, writeRecordedText } from '../recorded-text-service';
import { BUYER } from '../sender';
import { buildMessageTranslationTurns, buildReplyTranslationTurns } from '../translation';
import { callerOf, readOrderForReply } from './order-service';
import type { translateMessageInput, translateReplyInput, translationOutput } from './schema';

type Translation = z.output<typeof translationOutput>;

/** Returns what the log records about a translation in either direction, except its texts and language. */
async function createTranslationAttempt({ db }: MessageServices, actor: Actor, orderId: string) {
  const order = await readOrderForReply(db, orderId);
  return {
    ...callerOf('translation', actor),
    shopName: order.shop_name,
    shopId: order.shop_id,
    orderId: order.order_id,
    orderNumber: order.receipt_id,
    buyerName: order.buyer,
    promptVersionId: null,
    extra: {},
    warnings: [],
  };
}

/**
 * Translates a message from an order's buyer into the reader's language, and records the translation like a reply.
 *
 * @throws ServiceError `not_found`; `rate_limited` if today's tokens for drafts are used up or reserved;
 * `upstream_not_configured`, `upstream_failed`, `upstream_timeout`
 */
export async function translateMessage(
  services: MessageServices,
  actor: Actor,
  { order_id, text: message, language }: z.output<typeof translateMessageInput>,
): Promise<Translation> {
  const messages = [{ sender: BUYER, content: message }];
  const attempt = { ...(await createTranslationAttempt(services, actor, order_id)), messages, language };
  const { text, warnings } = await writeRecordedText(
    services,
    attempt,
    buildMessageTranslationTurns(message, language),
    (translation) => findLostClaims(message, translation),
  );
  return { text, warnings };
}

/**
 * Translates a reply into the language in which the order's buyer writes, and records the translation like a reply. The translation
 * is checked like a draft, and also for claims of the reply that are missing from it.
 *
 * @throws ServiceError `not_found`; `rate_limited` if today's tokens for drafts are used up or reserved;
 * `upstream_not_configured`, `upstream_failed`, `upstream_timeout`
 */
export async function translateReply(
  services: MessageServices,
  actor: Actor,
  { order_id, text: reply, messages: conversation }: z.output<typeof translateReplyInput>,
): Promise<Translation> {
  const messages = [...conversation, { sender: 'shop' as const, content: reply }];
  const attempt = {
    ...(await createTranslationAttempt(services, actor, order_id)),
    messages,
    language: 'buyer' as const,
  };
  const { facts } = await readReplyFacts(services.db, attempt, services.now());
  const prompt = (await findPublishedVersion(services.db, attempt.shopName))?.text ?? '';
  const contents = selectTurns(conversation).map(({ content }) => content);
  const { text, warnings } = await writeRecordedText(
    services,
    attempt,
    buildReplyTranslationTurns(reply, conversation),
    (translation) => [
      ...checkReply(translation, { facts, prompt, messages: contents }),
      ...findLostClaims(reply, translation),
    ],
  );
  return { text, warnings };
}
