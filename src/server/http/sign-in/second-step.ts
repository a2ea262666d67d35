import { parseCookie, stringifySetCookie } from 'cookie';
import type { SecretBox } from '../../core/secret-box';

/** How long a user has to enter the code. */
const VALIDITY_MS = 5 * 60 * 1000;
const PATH = '/api/auth';

const cookieName = (isHttps: boolean) => `${isHttps ? '__Secure-' : ''}brickdesk.second-step`;

/**
 * A cookie that remembers, until the second factor is entered, which user an identity provider has vouched for. Encrypted, not
 * readable by scripts, and useless without a code.
 */
export interface SecondStepCookie {
  /** Returns the Set-Cookie value that stores the user. */
  begin(userId: number): string;
  /** Returns the id of the user who has to enter a code; null if there is none or the time is up. */
  expectedUserId(cookieHeader: string | undefined): number | null;
  /** Returns the Set-Cookie value that deletes the cookie. */
  end(): string;
}

/** @param isHttps whether browsers send the cookie over HTTPS only */
export function createSecondStepCookie(
  secrets: SecretBox,
  isHttps: boolean,
  now: () => number,
): SecondStepCookie {
  const name = cookieName(isHttps);
  const setCookieValue = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, httpOnly: true, sameSite: 'lax', secure: isHttps, path: PATH });
  return {
    begin(userId) {
      const text = JSON.stringify({ userId, until: now() + VALIDITY_MS });
      const value = Buffer.from(secrets.seal('second-step', 'sign-in', text)).toString('base64url');
      return setCookieValue(value, VALIDITY_MS / 1000);
    },
    expectedUserId(cookieHeader) {
      const value = parseCookie(cookieHeader ?? '')[name];
      if (value === undefined) return null;
      try {
        const text = secrets.open('second-step', 'sign-in', Buffer.from(value, 'base64url'));
        const { userId, until } = JSON.parse(text) as { userId: number; until: number };
        return now() < until ? userId : null;
      } catch {
        // Ignore a cookie that is not ours or has been altered.
        return null;
      }
    },
    end: () => setCookieValue('', 0),
  };
}
