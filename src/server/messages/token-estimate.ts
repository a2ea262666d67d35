import type { Turn, Usage } from './text-provider';

/** Tokens that the wire format adds per turn. */
const TURN_TOKENS = 8;
/** An average for typical text, used only if the provider returns no count. */
const BYTES_PER_TOKEN = 3;

const byteLengthOf = (turns: readonly Turn[]) =>
  turns.reduce((sum, turn) => sum + Buffer.byteLength(turn.content), 0);

/** Returns the maximum number of tokens that a reply to these turns can use: a token stands for at least one byte. */
export function maxTokenCount(turns: readonly Turn[], maxOutputTokens: number): number {
  return byteLengthOf(turns) + turns.length * TURN_TOKENS + maxOutputTokens;
}

/** Returns how many tokens a reply used: the provider's count, or an estimate from the length of input and output. */
export function usedTokenCount(usage: Usage | null, turns: readonly Turn[], reply: string): number {
  if (usage) return usage.inputTokens + usage.outputTokens;
  return Math.ceil((byteLengthOf(turns) + Buffer.byteLength(reply)) / BYTES_PER_TOKEN);
}
