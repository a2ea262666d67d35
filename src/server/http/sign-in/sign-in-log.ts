import type { Log } from '../../core/log';

/** Anything that looks like a state, nonce, code or token: openid-client quotes both values of a mismatch. */
const SECRETS = /[\w.~+/=-]{20,}/g;
const MAX_LENGTH = 300;

const errorOf = (detail: unknown): unknown => (detail as { error?: unknown } | null)?.error ?? detail;

/** Returns the error's message without anything that looks like a secret, shortened. */
function redactedMessageOf(detail: unknown): string {
  const error = errorOf(detail);
  const text = error instanceof Error ? error.message : '';
  return text.replace(SECRETS, '[redacted]').slice(0, MAX_LENGTH);
}

/** Returns a logger for next-auth that writes shortened errors to our log and ignores everything else. */
export function createSignInLogger(log: Log, requestId: string) {
  return {
    error: (code: string, detail: unknown) => {
      log.warn({ code, reason: redactedMessageOf(detail), requestId }, 'sign-in');
    },
    warn: () => undefined,
    debug: () => undefined,
  };
}
