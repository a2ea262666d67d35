import type { Turn, Usage } from './text-provider';

/** What the wire format adds to a turn. */
const TURN_TOKENS = 8;
/** Of usual text; only where the provider gives no count. */
const BYTES_PER_TOKEN = 3;

const bytesOf = (turns: readonly Turn[]) =>
  turns.reduce((sum, turn) => sum + Buffer.byteLength(turn.content), 0);

/** Most tokens that a reply to these turns can use: a token stands for at least one byte. */
export function mostTokens(turns: readonly Turn[], maxOutputTokens: number): number {
  return bytesOf(turns) + turns.length * TURN_TOKENS + maxOutputTokens;
}

/** What a reply used, by the provider's count, else by the length of what was read and written. */
export function usedTokens(usage: Usage | null, turns: readonly Turn[], reply: string): number {
  if (usage) return usage.inputTokens + usage.outputTokens;
  return Math.ceil((bytesOf(turns) + Buffer.byteLength(reply)) / BYTES_PER_TOKEN);
}
