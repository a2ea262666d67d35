import { ServiceError } from '../core/errors/errors';
import { createReason, type Reason } from '../core/errors/reason';
import type { Log } from '../core/log';
import type { Database } from '../db/client';
import { type Reservation, reserveTokens, type Spender, settleTokens } from '../gateway/token-budget-service';
import { type ReplyCaller, type ReplyRecord, recordReply } from './replies/history-service';
import {
  type GeneratedText,
  type TextFailure,
  type TextProvider,
  TextProviderError,
  type Turn,
  type Usage,
} from './text-provider';
import { maxTokenCount, usedTokenCount } from './token-estimate';
import type { Warning } from './warning';

/** The services needed to write replies and translations. */
export interface MessageServices {
  db: Database;
  log: Log;
  /** Null if none is configured. */
  textProvider: TextProvider | null;
  /**
   * Tokens that replies may use per UTC day. The budget applies to each key that has none of its own, to all trials together,
   * and to all drafts and translations together.
   */
  replyTokensPerDay: number;
  now: () => number;
}

const ERROR_MEMBERS = { source: 'text_provider' };

const FAILURE_REASONS: Record<TextFailure, Reason> = {
  refused: createReason('reply.refused'),
  unreachable: createReason('reply.unreachable'),
  broken: createReason('reply.broken'),
  timeout: createReason('reply.timeout'),
  declined: createReason('reply.declined'),
  cut_off: createReason('reply.cutOff'),
  empty: createReason('reply.empty'),
};

function notConfiguredError(): ServiceError {
  return new ServiceError('upstream_not_configured', createReason('reply.notConfigured'), {
    members: ERROR_MEMBERS,
  });
}

function toServiceError(error: TextProviderError): ServiceError {
  const code = error.kind === 'timeout' ? 'upstream_timeout' : 'upstream_failed';
  return new ServiceError(code, FAILURE_REASONS[error.kind], { members: ERROR_MEMBERS, cause: error });
}

/** Records a reply and returns its id. If that fails, logs it and returns null, so that the reply itself is not lost. */
async function recordReplyOrLog({ db, log }: MessageServices, reply: ReplyRecord): Promise<string | null> {
  try {
    return await recordReply(db, reply);
  } catch (error) {
    log.error({ err: error, requestId: reply.requestId }, 'reply could not be recorded');
    return null;
  }
}

/**
 * Replaces the reserved tokens with the tokens used. If that fails, the reservation stays until it expires.
 */
async function settleReservation(
  { db, log }: MessageServices,
  reservation: Reservation,
  tokenCount: number,
): Promise<void> {
  try {
    await settleTokens(db, reservation, tokenCount);
  } catch (error) {
    log.error({ err: error }, 'tokens of a reply could not be counted');
  }
}

/** Failures that providers do not charge for. */
const FREE_FAILURES: ReadonlySet<TextFailure> = new Set(['refused', 'unreachable']);

/** Returns whose token budget a reply counts towards. */
function spenderOf({ kind, apiKeyId }: ReplyCaller): Spender {
  if (apiKeyId !== null) return { apiKeyId };
  return kind === 'trial' ? 'trials' : 'drafts';
}

/** The part of a log entry that is known before the provider answers. */
type Attempt = Omit<ReplyRecord, 'reply' | 'model' | 'outcome' | 'error' | 'usage' | 'durationMs'>;

/** Text that the provider wrote, with its entry in the log. */
export interface RecordedText {
  /** The id in the log. Null if the text could not be recorded. */
  id: string | null;
  text: string;
  model: string;
  usage: Usage | null;
  /** The warnings of the attempt, then those of the text. */
  warnings: Warning[];
  durationMs: number;
}

/**
 * Has the provider write text. Reserves and counts its tokens, and records the attempt even if the provider fails or there is none.
 *
 * @param checkText returns the warnings about the text
 * @throws ServiceError `rate_limited` if today's tokens are used up or reserved; `upstream_not_configured`, `upstream_failed`,
 * `upstream_timeout`
 */
export async function writeRecordedText(
  services: MessageServices,
  attempt: Attempt,
  turns: readonly Turn[],
  checkText: (text: string) => readonly Warning[],
): Promise<RecordedText> {
  const { db, textProvider } = services;
  const startMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startMs);
  if (!textProvider) {
    const noReply = { reply: null, model: '', usage: null, durationMs: elapsedMs() };
    await recordReplyOrLog(services, { ...attempt, ...noReply, outcome: 'failed', error: 'not_configured' });
    throw notConfiguredError();
  }
  const reservation = await reserveTokens(
    db,
    spenderOf(attempt),
    services.replyTokensPerDay,
    maxTokenCount(turns, textProvider.maxOutputTokens),
    textProvider.timeoutMs,
  );
  let generatedText: GeneratedText;
  try {
    generatedText = await textProvider.write(turns);
  } catch (error) {
    if (!(error instanceof TextProviderError)) throw error;
    const { kind, details } = error;
    await settleReservation(
      services,
      reservation,
      FREE_FAILURES.has(kind) ? 0 : usedTokenCount(details.usage ?? null, turns, ''),
    );
    await recordReplyOrLog(services, {
      ...attempt,
      reply: null,
      model: textProvider.model,
      outcome: kind === 'declined' ? 'refused' : 'failed',
      error: kind,
      usage: details.usage ?? null,
      durationMs: elapsedMs(),
    });
    throw toServiceError(error);
  }
  const { text, model, usage } = generatedText;
  await settleReservation(services, reservation, usedTokenCount(usage, turns, text));
  const warnings = [...attempt.warnings, ...checkText(text)];
  const durationMs = elapsedMs();
  const id = await recordReplyOrLog(services, {
    ...attempt,
    reply: text,
    model,
    outcome: 'answered',
    error: null,
    warnings,
    usage,
    durationMs,
  });
  return { id, text, model, usage, warnings, durationMs };
}
