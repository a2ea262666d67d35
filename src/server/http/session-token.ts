import { parseCookie } from 'cookie';
import { decode } from 'next-auth/jwt';

/** How next-auth names the cookie that holds the session's token; `__Secure-` behind https. */
export const sessionCookie = (https: boolean) => `${https ? '__Secure-' : ''}next-auth.session-token`;

/** The session's token in a Cookie header. Large tokens are cut into numbered cookies by next-auth; ours never are. */
export function sessionTokenOf(cookie: string | null | undefined, https: boolean): string | null {
  return parseCookie(cookie ?? '')[sessionCookie(https)] ?? null;
}

/**
 * The session that one of next-auth's own tokens stands for. The token is encrypted, so nobody but us can have made it;
 * whether its session is alive is asked of the database.
 *
 * @returns null where it is none of ours, was altered or has expired
 */
export async function sessionIdOf(token: string, secret: string): Promise<string | null> {
  try {
    const decoded = await decode({ token, secret });
    return typeof decoded?.sid === 'string' ? decoded.sid : null;
  } catch {
    // next-auth throws for whatever is no token of this secret, which is all that is asked here.
    return null;
  }
}
