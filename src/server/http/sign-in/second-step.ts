import { parseCookie, stringifySetCookie } from 'cookie';
import type { SecretBox } from '../../core/secret-box';

/** How long a user may take to find the authenticator app. */
const GOOD_FOR_MS = 5 * 60 * 1000;
const PATH = '/api/auth';

const nameOf = (https: boolean) => `${https ? '__Secure-' : ''}brickdesk.second-step`;

/**
 * Remembers in the browser which user an identity provider has vouched for while the second factor is still missing. Encrypted,
 * not readable by scripts, and useless without a code.
 */
export interface SecondStep {
  /** The cookie that stores the user. */
  begin(userId: number): string;
  /** The expected user; null if there is none, or if the time is up. */
  expected(cookie: string | undefined): number | null;
  /** The cookie that clears it. */
  end(): string;
}

/** @param https whether browsers return the cookie over HTTPS only */
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
        // A cookie that we did not make, or that was altered, does not count.
        return null;
      }
    },
    end: () => line('', 0),
  };
}
