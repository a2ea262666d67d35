import { parseCookie } from 'cookie';
import { decode } from 'next-auth/jwt';

/** The name of next-auth's session cookie; `__Secure-` behind https. */
export const sessionCookie = (https: boolean) => `${https ? '__Secure-' : ''}next-auth.session-token`;

/** The session token in a Cookie header. next-auth splits large tokens into numbered cookies; ours are never that large. */
export function sessionTokenOf(cookie: string | null | undefined, https: boolean): string | null {
  return parseCookie(cookie ?? '')[sessionCookie(https)] ?? null;
}

/**
 * Returns the session id of a next-auth token. The token is encrypted, so only we can have made it; the database decides
 * whether the session is still alive.
 *
 * @returns null if it is not ours, was altered or has expired
 */
export async function sessionIdOf(token: string, secret: string): Promise<string | null> {
  try {
    const decoded = await decode({ token, secret });
    return typeof decoded?.sid === 'string' ? decoded.sid : null;
  } catch {
    // next-auth throws for anything that is not a token made with this secret.
    return null;
  }
}
