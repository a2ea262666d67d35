import OpenAI from 'openai';
import { z } from 'zod';
import { MAX_INTEGER } from '../core/exact-integer';
import { limitBody } from '../core/http/limited-body';
import { readRetryAfterMs } from '../core/http/retry-after';
import { withRetries } from '../core/retry';
import { toPlainText } from '../core/text/plain-text';
import {
  type GeneratedText,
  type TextProvider,
  TextProviderError,
  type Turn,
  type Usage,
} from './text-provider';

interface OpenAiOptions {
  apiKey: string;
  baseUrl: string;
  model: string;
  /** The timeout for everything: attempts, the waits between them, and reading the response. */
  timeoutMs: number;
  /** The limit that is sent to the provider. It includes the tokens that a model uses for reasoning. */
  maxOutputTokens: number;
}

const MAX_ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
/** The maximum size of a response. Real ones are a few kilobytes. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** The maximum length of a text. Messages to buyers are far shorter, and every text is checked, stored and shown. */
const MAX_TEXT_LENGTH = 100_000;

const THOUGHTS_START = '<think>';
const THOUGHTS_END = '</think>';

const tokenCountSchema = z.int().min(0).max(MAX_INTEGER);

/** The parts of a completion that we read. Invalid token counts become null, because they are no reason to discard a reply. */
const completionSchema = z.object({
  model: z.string().min(1).max(200).optional().catch(undefined),
  choices: z.tuple(
    [
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    ],
    z.unknown(),
  ),
  usage: z
    .object({ prompt_tokens: tokenCountSchema, completion_tokens: tokenCountSchema })
    .nullish()
    .catch(null),
});

function readCompletion(response: unknown, requestedModel: string): GeneratedText {
  const result = completionSchema.safeParse(response);
  if (!result.success) throw new TextProviderError('broken');
  const { choices, usage: tokens, model } = result.data;
  const [{ finish_reason, message }] = choices;
  const usage: Usage | null = tokens
    ? { inputTokens: tokens.prompt_tokens, outputTokens: tokens.completion_tokens }
    : null;
  if (finish_reason === 'content_filter' || message.refusal)
    throw new TextProviderError('declined', { usage });
  if (finish_reason === 'length') throw new TextProviderError('cut_off', { usage });
  // The model wants to call a tool before it replies, and there is none.
  if (finish_reason === 'tool_calls' || finish_reason === 'function_call')
    throw new TextProviderError('broken', { usage });
  const text = withoutThoughts((message.content ?? '').replaceAll('\u0000', '').toWellFormed());
  // A text of invisible characters is empty too.
  if (toPlainText(text).trim() === '') throw new TextProviderError('empty', { usage });
  if (text.length > MAX_TEXT_LENGTH) throw new TextProviderError('broken', { usage });
  return { text, model: toStorableText(model) || requestedModel, usage };
}

/**
 * Returns the reply without the thoughts before it, which compatible servers without a parser for their model leave in the text. The
 * opening tag may be missing, because some models get it with the prompt. Thoughts that do not end are all that there is.
 */
function withoutThoughts(content: string): string {
  const end = content.lastIndexOf(THOUGHTS_END);
  const text = (end === -1 ? content : content.slice(end + THOUGHTS_END.length)).trim();
  return text.startsWith(THOUGHTS_START) ? '' : text;
}

const toStorableText = (text = '') => text.replaceAll('\u0000', '').toWellFormed();

/** Converts an error from the SDK to one of ours. */
function toTextProviderError(error: unknown): TextProviderError {
  if (error instanceof TextProviderError) return error;
  if (error instanceof OpenAI.APIConnectionError) return new TextProviderError('unreachable');
  if (!(error instanceof OpenAI.APIError) || typeof error.status !== 'number')
    return new TextProviderError('broken');
  const { status } = error;
  return new TextProviderError(status >= 400 && status < 500 ? 'refused' : 'broken', { status });
}

/** Returns the milliseconds to wait before the next attempt, or null if retrying is pointless. */
function waitMsAfter(error: unknown, attempt: number): number | null {
  const backoffMs = FIRST_WAIT_MS * 2 ** (attempt - 1);
  if (error instanceof OpenAI.APIConnectionError) return backoffMs;
  if (!(error instanceof OpenAI.APIError) || typeof error.status !== 'number') return null;
  const { status, code } = error;
  if ((status < 500 && ![408, 409, 429].includes(status)) || code === 'insufficient_quota') return null;
  return Math.max(requestedWaitMs(error.headers), backoffMs);
}

/** Returns the milliseconds that the provider asks us to wait, 0 if it does not say. OpenAI's own header is the more exact one. */
function requestedWaitMs(headers: Headers | undefined): number {
  if (!headers) return 0;
  const ms = Number(headers.get('retry-after-ms') || Number.NaN);
  return Number.isFinite(ms) ? ms : (readRetryAfterMs(headers) ?? 0);
}

/** Fetches without reading more of a response than any real one has, because the package reads bodies to their end. */
const fetchLimited: typeof fetch = async (input, init) =>
  limitBody(await fetch(input, init), MAX_RESPONSE_BYTES, () => new TextProviderError('broken'));

/**
 * Creates a client for OpenAI's chat completions API, or a compatible API at another base URL, with the official package.
 * Temporary failures (a lost connection, 408, 409, 5xx, 429 unless the quota is used up) are retried up to twice, if the timeout
 * allows.
 */
export function createOpenAiProvider(options: OpenAiOptions): TextProvider {
  const { model, timeoutMs, maxOutputTokens } = options;
  const client = new OpenAI({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: 'off',
    fetch: fetchLimited,
    // The package reads missing settings from the environment, which only config.ts may do. Null prevents that.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
  });
  return {
    model,
    maxOutputTokens,
    timeoutMs,
    async write(turns: readonly Turn[]): Promise<GeneratedText> {
      const signal = AbortSignal.timeout(timeoutMs);
      const request = { model, messages: [...turns], max_completion_tokens: maxOutputTokens };
      try {
        return await withRetries(
          async () => readCompletion(await client.chat.completions.create(request, { signal }), model),
          { maxAttempts: MAX_ATTEMPTS, deadline: performance.now() + timeoutMs, waitMsAfter, signal },
        );
      } catch (error) {
        throw signal.aborted ? new TextProviderError('timeout') : toTextProviderError(error);
      }
    },
  };
}
