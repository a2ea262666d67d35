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

/** What the message service is given to work with. */
export interface MessageServices {
  db: Database;
  log: Log;
  /** Null where none is configured. */
  textProvider: TextProvider | null;
  /** Tokens that replies may use in a UTC day, of a key without a number of its own, and of all trials together. */
  replyTokensPerDay: number;
  now: () => number;
}

interface Caller {
  /** Null for a trial, which a person asks for. */
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

/** The members that have no field of their own, which are kept with the reply. */
function extraOf(input: MessageRequest): Record<string, unknown> {
  const { shop_name, order_number, buyer_name, messages, ...extra } = input;
  const problem = storableProblem(extra) ?? storableProblem(messages ?? [], 'messages');
  if (problem) throw validationError([problem]);
  return extra;
}

/** The history must not turn a clear answer into another one; that it could not be written is logged. */
async function record({ db, log }: MessageServices, reply: ReplyRecord): Promise<void> {
  try {
    await recordReply(db, reply);
  } catch (error) {
    log.error({ err: error, requestId: reply.requestId }, 'reply could not be recorded');
  }
}

/** Where this fails, what was set aside stays counted: too much rather than too little. */
async function settle({ db, log }: MessageServices, reservation: Reservation, used: number): Promise<void> {
  try {
    await settleTokens(db, reservation, used);
  } catch (error) {
    log.error({ err: error }, 'tokens of a reply could not be counted');
  }
}

/** Failures for which no provider charges anything. */
const FREE: ReadonlySet<TextFailure> = new Set(['refused', 'unreachable']);

const blankAsNull = (text: string | undefined) => (text?.trim() ? text : null);

/** A request for a reply, with the prompt that it is to be written with. */
interface Asked {
  shopName: string;
  orderNumber: string | null;
  buyerName: string | null;
  messages: NonNullable<MessageRequest['messages']>;
  /** What is kept with the reply besides. */
  extra: Record<string, unknown>;
  prompt: { id: number; text: string };
}

/** What a request asks for, its prompt left open. */
export function askedOf(input: MessageRequest): Omit<Asked, 'prompt'> {
  return {
    extra: extraOf(input),
    shopName: input.shop_name,
    orderNumber: blankAsNull(input.order_number),
    buyerName: blankAsNull(input.buyer_name),
    messages: input.messages ?? [],
  };
}

/**
 * Writes a reply with a prompt: the facts of the order where it is the shop's, and a check of what the reply states. Every
 * attempt is recorded.
 *
 * @throws ServiceError `rate_limited` where the tokens of today are used up; `upstream_not_configured`, `upstream_failed`,
 * `upstream_timeout`
 */
export async function writeReply(
  services: MessageServices,
  caller: Caller,
  { prompt, messages, extra, ...asked }: Asked,
): Promise<BuyerReply> {
  const { db, textProvider } = services;
  const started = performance.now();
  const attempt = { ...asked, ...caller, promptVersionId: prompt.id, messages, extra };
  const elapsed = () => Math.round(performance.now() - started);
  if (!textProvider) {
    const nothing = { reply: null, model: '', warnings: [], usage: null, durationMs: elapsed() };
    await record(services, { ...attempt, ...nothing, outcome: 'failed', error: 'not_configured' });
    throw notConfigured();
  }
  const { facts, warnings } = await factsFor(db, asked, services.now());
  const turns = buildTurns({ prompt: prompt.text, facts, buyerName: asked.buyerName, messages });
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
  // What was not sent on cannot be where the reply has it from.
  const contents = boundedTurns(messages).map((turn) => turn.content);
  const told = [...warnings, ...checkReply(reply, { facts, prompt: prompt.text, messages: contents })];
  const durationMs = elapsed();
  await record(services, {
    ...attempt,
    reply,
    model,
    outcome: 'answered',
    error: null,
    warnings: told,
    usage,
    durationMs,
  });
  return { ...asked, reply, model, usage, warnings: told, durationMs };
}

/**
 * Writes a reply to a buyer's conversation (docs/replies.md) with the shop's published prompt.
 *
 * @throws ServiceError `validation_failed` where no prompt is published for the shop; `rate_limited` where the key's tokens of
 * today are used up; `upstream_not_configured`, `upstream_failed`, `upstream_timeout`
 */
export async function answerBuyer(
  services: MessageServices,
  caller: Caller,
  input: MessageRequest,
): Promise<BuyerReply> {
  const asked = askedOf(input);
  const prompt = await publishedPrompt(services.db, asked.shopName);
  if (!prompt) {
    throw validationError([problemAt('shop_name', because('prompt.unpublished'))]);
  }
  return writeReply(services, caller, { ...asked, prompt });
}
