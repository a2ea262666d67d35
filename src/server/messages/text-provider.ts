/** One turn of a conversation, as the chat completions API knows it. */
export interface Turn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** What a provider wrote. */
export interface GeneratedText {
  text: string;
  /** The model that wrote it, as the provider names it. */
  model: string;
  /** Null where the provider gives none. */
  usage: Usage | null;
}

/** Whoever writes replies. An implementation speaks one vendor's wire format and knows no database. */
export interface TextProvider {
  /** The model that is asked for. */
  readonly model: string;
  /** Most tokens that it writes for one reply. */
  readonly maxOutputTokens: number;
  /** @throws TextProviderError */
  write(turns: readonly Turn[]): Promise<GeneratedText>;
}

/**
 * Why there is no text: `refused` our request, `unreachable`, `broken` (an answer that is none), `timeout`, `declined` (the
 * model or a filter would not answer), `cut_off`, `empty`.
 */
export type TextFailure = 'refused' | 'unreachable' | 'broken' | 'timeout' | 'declined' | 'cut_off' | 'empty';

/**
 * A provider's failure in our own words. It never carries the provider's error, whose text may hold keys and prompts, as its
 * message or its cause: this error may be logged.
 */
export class TextProviderError extends Error {
  override readonly name = 'TextProviderError';

  constructor(
    readonly kind: TextFailure,
    readonly details: { status?: number; usage?: Usage | null } = {},
  ) {
    super(`text provider: ${kind}${details.status === undefined ? '' : `, HTTP ${details.status}`}`);
  }
}
