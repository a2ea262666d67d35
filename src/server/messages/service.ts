import { ServiceError, validationError } from '../core/errors';
import type { Log } from '../core/log';
import { because, problemAt, type Reason } from '../core/reason';
import { storableProblem } from '../core/storable-json';
import type { Database } from '../db/client';
import { type Reservation, reserveTokens, settleTokens } from '../gateway/token-budget-service';
import { checkReply } from './claims/fact-check';
import { boundedTurns, buildTurns } from './conversation';
import { factsFor } from './facts-service';
import { publishedPrompt } from './prompts/service';
import { type ReplyRecord, recordReply } from './replies/history';
import { mostTokens, usedTokens } from './reply-tokens';
import type { MessageRequest, Warning } from './schema';
import {
  type GeneratedText,
  type TextFailure,
  type TextProvider,
  TextProviderError,
  type Usage,
} from './text-provider';

/** What the message service depends on. */
export interface MessageServices {
  db: Database;
  log: Log;
  /** Null if none is configured. */
  textProvider: TextProvider | null;
  /** Tokens that replies may use per UTC day: for each key without a budget of its own, and for all trials together. */
  replyTokensPerDay: number;
  now: () => number;
}

interface Caller {
  /** Null for a trial, which a user runs. */
  apiKeyId: number | null;
  requestId: string;
}

export interface BuyerReply {
  reply: string;
  shopName: string;
  orderNumber: string | null;
  buyerName: string | null;
  model: string;
  usage: Usage | null;
  warnings: Warning[];
  durationMs: number;
}

const SOURCE = { source: 'text_provider' };

const FAILURES: Record<TextFailure, Reason> = {
  refused: because('reply.refused'),
  unreachable: because('reply.unreachable'),
  broken: because('reply.broken'),
  timeout: because('reply.timeout'),
  declined: because('reply.declined'),
  cut_off: because('reply.cutOff'),
  empty: because('reply.empty'),
};

function notConfigured(): ServiceError {
  return new ServiceError('upstream_not_configured', because('reply.notConfigured'), { members: SOURCE });
}

function failure(error: TextProviderError): ServiceError {
  const code = error.kind === 'timeout' ? 'upstream_timeout' : 'upstream_failed';
  return new ServiceError(code, FAILURES[error.kind], { members: SOURCE, cause: error });
}

/** Returns the unknown members, which are stored with the reply. */
function extraOf(input: MessageRequest): Record<string, unknown> {
  const { shop_name, order_number, buyer_name, messages, ...extra } = input;
  const problem = storableProblem(extra) ?? storableProblem(messages ?? [], 'messages');
  if (problem) throw validationError([problem]);
  return extra;
}

/** A failure to write the history is only logged, so that it does not replace the actual result. */
async function record({ db, log }: MessageServices, reply: ReplyRecord): Promise<void> {
  try {
    await recordReply(db, reply);
  } catch (error) {
    log.error({ err: error, requestId: reply.requestId }, 'reply could not be recorded');
  }
}

/** If this fails, the reserved tokens stay counted: too many rather than too few. */
async function settle({ db, log }: MessageServices, reservation: Reservation, used: number): Promise<void> {
  try {
    await settleTokens(db, reservation, used);
  } catch (error) {
    log.error({ err: error }, 'tokens of a reply could not be counted');
  }
}

/** Failures that no provider charges for. */
const FREE: ReadonlySet<TextFailure> = new Set(['refused', 'unreachable']);

const blankAsNull = (text: string | undefined) => (text?.trim() ? text : null);

/** A request for a reply, with the prompt to write it with. */
interface ReplyRequest {
  shopName: string;
  orderNumber: string | null;
  buyerName: string | null;
  messages: NonNullable<MessageRequest['messages']>;
  /** Additional members, stored with the reply. */
  extra: Record<string, unknown>;
  prompt: { id: number; text: string };
}

/** Returns a request's data, except for the prompt. */
export function requestOf(input: MessageRequest): Omit<ReplyRequest, 'prompt'> {
  return {
    extra: extraOf(input),
    shopName: input.shop_name,
    orderNumber: blankAsNull(input.order_number),
    buyerName: blankAsNull(input.buyer_name),
    messages: input.messages ?? [],
  };
}

/**
 * Writes a reply with a prompt: collects the facts about the order if it is the shop's, and checks what the reply states. Every
 * attempt is recorded.
 *
 * @throws ServiceError `rate_limited` if today's tokens are used up; `upstream_not_configured`, `upstream_failed`,
 * `upstream_timeout`
 */
export async function writeReply(
  services: MessageServices,
  caller: Caller,
  { prompt, messages, extra, ...request }: ReplyRequest,
): Promise<BuyerReply> {
  const { db, textProvider } = services;
  const started = performance.now();
  const attempt = { ...request, ...caller, promptVersionId: prompt.id, messages, extra };
  const elapsed = () => Math.round(performance.now() - started);
  if (!textProvider) {
    const nothing = { reply: null, model: '', warnings: [], usage: null, durationMs: elapsed() };
    await record(services, { ...attempt, ...nothing, outcome: 'failed', error: 'not_configured' });
    throw notConfigured();
  }
  const { facts, warnings } = await factsFor(db, request, services.now());
  const turns = buildTurns({ prompt: prompt.text, facts, buyerName: request.buyerName, messages });
  const spender = caller.apiKeyId === null ? 'trials' : { apiKeyId: caller.apiKeyId };
  const most = mostTokens(turns, textProvider.maxOutputTokens);
  const reservation = await reserveTokens(db, spender, services.replyTokensPerDay, most);
  let written: GeneratedText;
  try {
    written = await textProvider.write(turns);
  } catch (error) {
    if (!(error instanceof TextProviderError)) throw error;
    const { kind, details } = error;
    await settle(services, reservation, FREE.has(kind) ? 0 : usedTokens(details.usage ?? null, turns, ''));
    await record(services, {
      ...attempt,
      reply: null,
      model: textProvider.model,
      outcome: error.kind === 'declined' ? 'refused' : 'failed',
      error: error.kind,
      warnings,
      usage: error.details.usage ?? null,
      durationMs: elapsed(),
    });
    throw failure(error);
  }
  const { text: reply, model, usage } = written;
  await settle(services, reservation, usedTokens(usage, turns, reply));
  // Only messages that were sent to the provider can be the source of a claim.
  const contents = boundedTurns(messages).map((turn) => turn.content);
  const allWarnings = [...warnings, ...checkReply(reply, { facts, prompt: prompt.text, messages: contents })];
  const durationMs = elapsed();
  await record(services, {
    ...attempt,
    reply,
    model,
    outcome: 'answered',
    error: null,
    warnings: allWarnings,
    usage,
    durationMs,
  });
  return { ...request, reply, model, usage, warnings: allWarnings, durationMs };
}

/**
 * Writes a reply to a buyer's conversation (docs/replies.md) with the shop's published prompt.
 *
 * @throws ServiceError `validation_failed` if no prompt is published for the shop; `rate_limited` if the key's tokens for today
 * are used up; `upstream_not_configured`, `upstream_failed`, `upstream_timeout`
 */
export async function answerBuyer(
  services: MessageServices,
  caller: Caller,
  input: MessageRequest,
): Promise<BuyerReply> {
  const request = requestOf(input);
  const prompt = await publishedPrompt(services.db, request.shopName);
  if (!prompt) {
    throw validationError([problemAt('shop_name', because('prompt.unpublished'))]);
  }
  return writeReply(services, caller, { ...request, prompt });
}
