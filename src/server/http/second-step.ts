import { parseCookie, stringifySetCookie } from 'cookie';
import type { SecretBox } from '../core/secret-box';

/** How long somebody may look for the authenticator app. */
const GOOD_FOR_MS = 5 * 60 * 1000;
const PATH = '/api/auth';

const nameOf = (https: boolean) => `${https ? '__Secure-' : ''}brickdesk.second-step`;

/**
 * Remembers at the browser for whom an identity provider has vouched while the person's second factor is still owed. It is
 * encrypted, scripts cannot read it, and without a code it opens nothing.
 */
export interface SecondStep {
  /** The cookie that says so. */
  begin(userId: number): string;
  /** The person who is expected; null where nobody is, or no longer. */
  expected(cookie: string | undefined): number | null;
  /** The cookie that forgets it. */
  end(): string;
}

export function createSecondStep(secrets: SecretBox, https: boolean, now: () => number): SecondStep {
  const name = nameOf(https);
  const line = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, httpOnly: true, sameSite: 'lax', secure: https, path: PATH });
  return {
    begin(userId) {
      const text = JSON.stringify({ userId, until: now() + GOOD_FOR_MS });
      const sealed = Buffer.from(secrets.seal('second-step', 'sign-in', text)).toString('base64url');
      return line(sealed, GOOD_FOR_MS / 1000);
    },
    expected(cookie) {
      const value = parseCookie(cookie ?? '')[name];
      if (value === undefined) return null;
      try {
        const text = secrets.open('second-step', 'sign-in', Buffer.from(value, 'base64url'));
        const { userId, until } = JSON.parse(text) as { userId: number; until: number };
        return now() < until ? userId : null;
      } catch {
        // Whatever was not made here, or was altered, is none.
        return null;
      }
    },
    end: () => line('', 0),
  };
}
