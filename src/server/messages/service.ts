import { invalidField } from '../core/errors/errors';
import type { ReportProblem } from '../core/errors/problem-list';
import { createReason } from '../core/errors/reason';
import { findStorageProblems } from '../core/text/storable-json';
import { checkReply } from './claims/fact-check';
import { buildTurns, selectTurns } from './conversation';
import { readReplyFacts } from './facts-service';
import { findPublishedVersion } from './prompts/service';
import { type MessageServices, type RecordedText, writeRecordedText } from './recorded-text-service';
import type { ReplyCaller } from './replies/history-service';
import type { MessageRequest } from './schema';

export interface BuyerReply extends Omit<RecordedText, 'text'> {
  reply: string;
  shopName: string;
  orderNumber: string | null;
  buyerName: string | null;
}

/** Returns the unknown members of a request, which are stored with the reply. */
function extraOf(input: Record<string, unknown>): Record<string, unknown> {
  const { shop_name, order_number, buyer_name, messages, ...extra } = input;
  return extra;
}

/** Reports why the unknown members of a request for a reply, and those of its messages, cannot be stored. */
export const findUnknownMemberProblems = (body: Record<string, unknown>, report: ReportProblem): void => {
  findStorageProblems(extraOf(body), report);
  if (!Array.isArray(body.messages)) return;
  for (const [index, message] of body.messages.entries()) {
    if (typeof message !== 'object' || message === null) continue;
    const { sender, content, ...extra } = message;
    findStorageProblems(extra, report, ['messages', String(index)]);
  }
};

const blankAsNull = (text: string | undefined) => (text?.trim() ? text : null);

/** A request for a reply, with the prompt version to write it with. */
interface ReplyRequest {
  shopName: string;
  orderNumber: string | null;
  buyerName: string | null;
  messages: NonNullable<MessageRequest['messages']>;
  /** Additional members, stored with the reply. */
  extra: Record<string, unknown>;
  promptVersion: { id: number; text: string };
}

/** Converts a request's body to a {@link ReplyRequest} without the prompt version. */
export function toReplyRequest(input: MessageRequest): Omit<ReplyRequest, 'promptVersion'> {
  return {
    extra: extraOf(input),
    shopName: input.shop_name,
    orderNumber: blankAsNull(input.order_number),
    buyerName: blankAsNull(input.buyer_name),
    messages: input.messages ?? [],
  };
}

/**
 * Writes a reply with a prompt and the facts about the shop's order, and checks what the reply states. Attempts within the
 * token budget is recorded.
 *
 * @throws ServiceError `rate_limited` if today's tokens are used up or reserved; `upstream_not_configured`, `upstream_failed`,
 * `upstream_timeout`
 */
export async function writeReply(
  services: MessageServices,
  caller: ReplyCaller,
  { promptVersion, messages, extra, ...request }: ReplyRequest,
): Promise<BuyerReply> {
  const { order, facts, warnings } = await readReplyFacts(services.db, request, services.now());
  const turns = buildTurns({ prompt: promptVersion.text, facts, buyerName: request.buyerName, messages });
  // Only messages that are sent to the provider can be the source of a claim.
  const contents = selectTurns(messages).map((turn) => turn.content);
  const attempt = {
    ...request,
    ...caller,
    ...order,
    promptVersionId: promptVersion.id,
    messages,
    extra,
    warnings,
  };
  const { text: reply, ...recordedFields } = await writeRecordedText(services, attempt, turns, (text) =>
    checkReply(text, { facts, prompt: promptVersion.text, messages: contents }),
  );
  return { ...request, ...recordedFields, reply };
}

/**
 * Writes a reply to a buyer's conversation (docs/replies.md) with the shop's published prompt.
 *
 * @throws ServiceError `validation_failed` if no prompt is published for the shop, or if the request cannot be stored;
 * `rate_limited` if today's tokens are used up or reserved; `upstream_not_configured`, `upstream_failed`, `upstream_timeout`
 */
export async function replyToBuyer(
  services: MessageServices,
  caller: ReplyCaller,
  input: MessageRequest,
): Promise<BuyerReply> {
  const request = toReplyRequest(input);
  const promptVersion = await findPublishedVersion(services.db, request.shopName);
  if (!promptVersion) {
    throw invalidField('shop_name', createReason('prompt.unpublished'));
  }
  return writeReply(services, caller, { ...request, promptVersion });
}
