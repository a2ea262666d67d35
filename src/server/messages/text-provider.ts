/** One turn of a conversation, as in the chat completions API. */
export interface Turn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** Text written by a provider. */
export interface GeneratedText {
  text: string;
  /** The provider's name for the model that wrote it. */
  model: string;
  /** Null if the provider returns no usage. */
  usage: Usage | null;
}

/** Writes replies and translations. An implementation speaks one vendor's wire format and does not use the database. */
export interface TextProvider {
  /** The requested model. */
  readonly model: string;
  /** The maximum number of tokens that it writes per call. */
  readonly maxOutputTokens: number;
  /** The maximum time that a call takes. */
  readonly timeoutMs: number;
  /** @throws TextProviderError */
  write(turns: readonly Turn[]): Promise<GeneratedText>;
}

/**
 * Why there is no text: `refused` (the provider rejected our request), `unreachable`, `broken` (a server error or an invalid
 * response), `timeout`, `declined` (the model or a filter declined to answer), `cut_off`, `empty`.
 */
export type TextFailure = 'refused' | 'unreachable' | 'broken' | 'timeout' | 'declined' | 'cut_off' | 'empty';

/**
 * A provider's failure in our own words. This error may be logged, so it includes only the HTTP status of the provider's error,
 * whose text may contain keys and prompts.
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
