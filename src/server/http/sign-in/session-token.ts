import { parseCookie } from 'cookie';
import { decode } from 'next-auth/jwt';

/** Returns the name of next-auth's session cookie, which begins with `__Secure-` over https. */
export const sessionCookieName = (isHttps: boolean) => `${isHttps ? '__Secure-' : ''}next-auth.session-token`;

/** Returns the session token in a Cookie header, or null. Our tokens are never so large that next-auth would split them. */
export function sessionTokenOf(cookieHeader: string | null | undefined, isHttps: boolean): string | null {
  return parseCookie(cookieHeader ?? '')[sessionCookieName(isHttps)] ?? null;
}

/**
 * Returns the session ID in a next-auth token. The token is encrypted, so only we can have issued it; whether the session has
 * ended is recorded in the database.
 *
 * @returns null if the token is not ours, was altered or has expired
 */
export async function sessionIdOf(token: string, secret: string): Promise<string | null> {
  try {
    const payload = await decode({ token, secret });
    return typeof payload?.sid === 'string' ? payload.sid : null;
  } catch {
    // next-auth throws for anything that was not encrypted with this secret.
    return null;
  }
}
