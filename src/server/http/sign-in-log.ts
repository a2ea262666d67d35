import type { Log } from '../core/log';

/** What looks like a state, a nonce, a code or a token: openid-client quotes both of two that differ. */
const SECRETS = /[\w.~+/=-]{20,}/g;
const LONGEST = 300;

const errorOf = (detail: unknown): unknown => (detail as { error?: unknown } | null)?.error ?? detail;

/** What went wrong in words: neither what was sent, nor what came back, nor anything that only the two sides may know. */
function reasonOf(detail: unknown): string {
  const error = errorOf(detail);
  const text = error instanceof Error ? error.message : '';
  return text.replace(SECRETS, '[redacted]').slice(0, LONGEST);
}

/** next-auth's logger: its errors become lines of our log, of which a client can write nothing at length. */
export function signInLogger(log: Log, requestId: string) {
  return {
    error: (code: string, detail: unknown) => {
      log.warn({ code, reason: reasonOf(detail), requestId }, 'sign-in');
    },
    warn: () => undefined,
    debug: () => undefined,
  };
}
