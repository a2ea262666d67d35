import { parseCookie } from 'cookie';
import nextAuthModule, { type AuthOptions, type Session } from 'next-auth';
import type { JWT } from 'next-auth/jwt';
import credentialsModule from 'next-auth/providers/credentials';
import {
  beginSession,
  endSession,
  findSession,
  SESSION_DAYS,
  type SignInMethod,
} from '../identity/session-service';
import { checkSignIn, findStaffByEmail } from '../identity/sign-in-service';
import type { Services } from '../trpc/context';
import { answerError, type Handler } from './api';
import { readBody } from './body';
import type { Exchange } from './exchange';
import { sessionCookie, sessionIdOf, sessionTokenOf } from './session-token';
import { type IdentityProvider, oidcProvider } from './sign-in-oidc';

/** next-auth is CommonJS: Node imports its exports whole where the build is run, the tools of the sources take the default out. */
function defaultOf<T>(module: T): T {
  return (module as { default?: T }).default ?? module;
}

const NextAuth = defaultOf(nextAuthModule);
const CredentialsProvider = defaultOf(credentialsModule);

/** next-auth's paths. */
export const SIGN_IN_PREFIX = '/api/auth/';

export interface SignInOptions {
  appUrl: string;
  /** Where the back office is, `/admin`. */
  adminPrefix: string;
  secret: string;
  /** Whom staff may sign in through, beside by password; null for nobody. */
  identityProvider: IdentityProvider | null;
}

/** A body of the sign-in page is far smaller. */
const MAX_BODY_BYTES = 16_384;
const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/** A text of what was sent; anything else counts as none. */
const text = (value: unknown) => (typeof value === 'string' ? value : '');

function authOptions(services: Services, options: SignInOptions, exchange: Exchange): AuthOptions {
  const https = options.appUrl.startsWith('https:');
  const place = {
    address: exchange.address || null,
    userAgent: exchange.req.headers['user-agent'] ?? null,
  };
  const page = `${options.adminPrefix}/sign-in`;

  const begin = async (user: { id: number; email: string }, method: SignInMethod): Promise<JWT> => {
    const before = sessionTokenOf(exchange.req.headers.cookie, https);
    const previous = before === null ? null : await sessionIdOf(before, options.secret);
    const sid = await beginSession(services.db, { user, method, place, previous });
    return { sub: String(user.id), sid };
  };

  return {
    secret: options.secret,
    useSecureCookies: https,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: page, error: page, signOut: page },
    providers: [
      CredentialsProvider({
        credentials: { email: {}, password: {}, code: {} },
        async authorize(given) {
          const { email, password, code } = given ?? {};
          const result = await checkSignIn(services, {
            email: text(email),
            password: text(password),
            code: text(code),
            address: exchange.address,
          });
          // next-auth puts the message into the page's address; these are words that the page translates.
          if ('failure' in result) throw new Error(result.failure);
          return { id: String(result.user.id), email: result.user.email };
        },
      }),
      ...(options.identityProvider ? [oidcProvider(options.identityProvider)] : []),
    ],
    callbacks: {
      async signIn({ account, profile }) {
        if (account?.provider === 'credentials') return true;
        const { email, email_verified: verified } = (profile ?? {}) as {
          email?: string;
          email_verified?: unknown;
        };
        // Whoever can choose an unverified address elsewhere could choose that of an owner.
        return (
          verified === true && text(email) !== '' && (await findStaffByEmail(services.db, email!)) !== null
        );
      },
      async jwt({ token, user, account, profile }) {
        if (!account) return { sub: token.sub, sid: token.sid };
        if (account.provider === 'credentials')
          return begin({ id: Number(user.id), email: user.email! }, 'password');
        const person = await findStaffByEmail(services.db, profile!.email!);
        if (!person) throw new Error('wrong_credentials');
        return begin(person, 'oidc');
      },
      async session({ session, token }) {
        const person = await findSession(services.db, String(token.sid));
        // next-auth has no word for a token whose session is over; without a user there is nobody.
        if (!person) return { expires: session.expires } as Session;
        return { expires: session.expires, user: { name: person.name, email: person.email } };
      },
      redirect({ url, baseUrl }) {
        if (/^\/(?![/\\])/.test(url)) return new URL(url, baseUrl).href;
        return URL.canParse(url) && new URL(url).origin === new URL(baseUrl).origin
          ? url
          : baseUrl + options.adminPrefix;
      },
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sid === 'string') await endSession(services.db, token.sid);
      },
    },
    logger: {
      error: (code, detail) => {
        const { message } =
          'error' in detail && detail.error instanceof Error ? detail.error : (detail as Error);
        services.log.warn({ code, reason: message }, 'sign-in');
      },
      warn: () => undefined,
      debug: () => undefined,
    },
    cookies: {
      sessionToken: {
        name: sessionCookie(https),
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: https },
      },
    },
  };
}

async function readForm({ req }: Exchange): Promise<Record<string, string>> {
  if (req.method !== 'POST') return {};
  const body = (await readBody(req, MAX_BODY_BYTES)).toString('utf8');
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? ''))
    return Object.fromEntries(new URLSearchParams(body));
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, string>) : {};
  } catch {
    return {};
  }
}

/** The response as next-auth uses it: Next's, of which it needs four methods. */
function responseFor({ res }: Exchange) {
  const response = {
    status(code: number) {
      res.statusCode = code;
      return response;
    },
    setHeader(name: string, value: number | string | string[]) {
      res.setHeader(name, value);
      return response;
    },
    getHeader: (name: string) => res.getHeader(name),
    json(value: unknown) {
      res.setHeader('Content-Type', 'application/json; charset=utf-8');
      res.end(JSON.stringify(value));
    },
    send(value: unknown) {
      if (typeof value === 'string' || value === undefined) res.end(value);
      else response.json(value ?? {});
    },
    end: (value?: string) => res.end(value),
  };
  return response;
}

/**
 * next-auth, answering /api/auth itself rather than in a page's bundle, so that sign-in uses the same services and connections
 * as all else. Whoever it lets in gets a token that names a session of ours; the session is what counts.
 */
export function createSignIn(services: Services, options: SignInOptions): Handler {
  // The base of every address that next-auth makes is then taken from the headers below, which we set ourselves.
  // biome-ignore lint/style/noProcessEnv: next-auth takes this setting from nowhere else
  process.env.AUTH_TRUST_HOST = 'true';
  const base = new URL(options.appUrl);
  return async (exchange) => {
    const { req, res, path, query } = exchange;
    exchange.route = SIGN_IN_PREFIX;
    try {
      res.setHeader('Cache-Control', 'no-store');
      const request = {
        method: req.method,
        headers: {
          ...req.headers,
          'x-forwarded-host': base.host,
          'x-forwarded-proto': base.protocol.slice(0, -1),
        },
        cookies: parseCookie(req.headers.cookie ?? ''),
        query: {
          ...Object.fromEntries(new URLSearchParams(query)),
          nextauth: path.slice(SIGN_IN_PREFIX.length).split('/'),
        },
        body: await readForm(exchange),
      };
      await NextAuth(
        request as never,
        responseFor(exchange) as never,
        authOptions(services, options, exchange),
      );
    } catch (thrown) {
      answerError(exchange, services, thrown);
    }
  };
}
