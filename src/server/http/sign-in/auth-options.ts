import { parseCookie } from 'cookie';
import type { AuthOptions, Session } from 'next-auth';
import type { JWT } from 'next-auth/jwt';
import credentialsModule from 'next-auth/providers/credentials';
import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { timeZoneSchema } from '../../core/fields';
import {
  beginSession,
  endSession,
  findSessionUser,
  SESSION_DAYS,
  type SignedInUser,
  type SignInMethod,
} from '../../identity/sessions/session-service';
import { checkSecondStep, checkSignIn, findActiveUserByEmail } from '../../identity/sessions/sign-in-service';
import { TIME_ZONE_COOKIE } from '../../identity/users/schema';
import type { Services } from '../../trpc/context';
import type { BodyLimit } from '../body';
import type { Exchange } from '../exchange';
import { createDeviceCookie } from './device-cookie';
import { defaultOf } from './next-auth-module';
import { createSecondStepCookie } from './second-step';
import { sessionCookieName, sessionIdOf, sessionTokenOf } from './session-token';
import { createSignInLogger } from './sign-in-log';
import { type IdentityProvider, oidcProvider } from './sign-in-oidc';
import type { BufferedResponse } from './sign-in-response';

const CredentialsProvider = defaultOf(credentialsModule);
const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

export interface SignInOptions {
  appUrl: string;
  /** The path of the back office; `/admin` by default. */
  adminPrefix: string;
  secret: string;
  /** The provider that users may sign in with instead of a password; null for none. */
  identityProvider: IdentityProvider | null;
  bodyLimit: BodyLimit;
}

/** Returns a value from the request if it is a string, otherwise an empty string. */
const stringOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');

/** One request to next-auth. */
export interface AuthRequest {
  exchange: Exchange;
  bufferedResponse: BufferedResponse;
  /** Our own errors during the request, which next-auth would mistake for refusals. */
  ownErrors: unknown[];
}

/** Runs one of our callbacks for next-auth and records its error. */
async function runCallback<T>({ ownErrors }: AuthRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    ownErrors.push(thrown);
    throw thrown;
  }
}

/** Returns the URL if it is within this site, reduced to origin, path, query and fragment; otherwise null. */
function urlWithin(baseUrl: string, url: string): string | null {
  if (!URL.canParse(url, baseUrl)) return null;
  // Parsed as browsers do: they drop tabs and line breaks and read a backslash as a slash.
  const { origin, protocol, pathname, search, hash } = new URL(url, baseUrl);
  return /^https?:$/.test(protocol) && origin === new URL(baseUrl).origin
    ? origin + pathname + search + hash
    : null;
}

/** Returns next-auth's options for one request: how users are checked, what a session is, and where users go next. */
export function authOptions(
  services: Services,
  options: SignInOptions,
  authRequest: AuthRequest,
): AuthOptions {
  const { exchange, bufferedResponse } = authRequest;
  const { log } = services;
  const { requestId, address, req } = exchange;
  const { https: isHttps } = services.signIn;
  const cookies = parseCookie(req.headers.cookie ?? '');
  const origin = {
    address: address || null,
    userAgent: req.headers['user-agent'] ?? null,
    timeZone: timeZoneSchema.safeParse(cookies[TIME_ZONE_COOKIE]).data,
  };
  const signInPath = `${options.adminPrefix}/sign-in`;
  const secondStepCookie = createSecondStepCookie(services.secrets, isHttps, services.now);
  const deviceCookie = createDeviceCookie(services.secrets, isHttps, services.now);
  const deviceIdOf = (userId: number) => deviceCookie.deviceIdOf(req.headers.cookie, userId);

  const startSession = async (user: SignedInUser, method: SignInMethod): Promise<JWT> => {
    const previousToken = sessionTokenOf(req.headers.cookie, isHttps);
    const previousSessionId =
      previousToken === null ? null : await sessionIdOf(previousToken, options.secret);
    const sid = await beginSession(services.db, { user, method, origin, previousSessionId });
    bufferedResponse.addCookie(secondStepCookie.end());
    bufferedResponse.addCookie(deviceCookie.remember(req.headers.cookie, user.id));
    return { sub: String(user.id), sid };
  };

  /** Checks the password or, if e-mail and password are both empty, the code required after signing in with the provider. */
  const checkCredentials = async (credentials: { email: string; password: string; code: string }) => {
    if (credentials.email !== '' || credentials.password !== '')
      return {
        ...(await checkSignIn(services, { ...credentials, address, deviceIdOf })),
        method: 'password' as const,
      };
    const userId = secondStepCookie.expectedUserId(req.headers.cookie);
    const { code } = credentials;
    return {
      ...(await checkSecondStep(services, { userId, code, address, deviceIdOf })),
      method: 'oidc' as const,
    };
  };

  /** Begins the second step. Returns the sign-in page's URL, which includes where the user wanted to go, if known. */
  const askForCode = (userId: number): string => {
    bufferedResponse.addCookie(secondStepCookie.begin(userId));
    const callbackUrl = cookies[`${isHttps ? '__Secure-' : ''}next-auth.callback-url`];
    const target = callbackUrl === undefined ? null : urlWithin(options.appUrl, callbackUrl);
    const query = new URLSearchParams({ error: 'code_required' });
    if (target !== null) query.set('callbackUrl', target.slice(new URL(target).origin.length));
    return `${signInPath}?${query}`;
  };

  return {
    secret: options.secret,
    useSecureCookies: isHttps,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: signInPath, error: signInPath, signOut: signInPath },
    providers: [
      CredentialsProvider({
        credentials: { email: {}, password: {}, code: {} },
        async authorize(form) {
          const { email, password, code } = form ?? {};
          const result = await runCallback(authRequest, () =>
            checkCredentials({
              email: stringOrEmpty(email),
              password: stringOrEmpty(password),
              code: stringOrEmpty(code),
            }),
          );
          if ('user' in result) return { ...result.user, id: String(result.user.id), method: result.method };
          if (result.failure !== 'code_required')
            log.warn({ reason: result.failure, address: origin.address, requestId }, 'sign-in refused');
          // next-auth puts the message into the page's URL; the page translates these codes.
          throw new Error(result.failure);
        },
      }),
      ...(options.identityProvider ? [oidcProvider(options.identityProvider)] : []),
    ],
    callbacks: {
      async signIn({ account, profile }) {
        if (account?.provider === 'credentials') return true;
        const { email, email_verified: verified } = (profile ?? {}) as {
          email?: unknown;
          email_verified?: unknown;
        };
        // Without this check, anyone who registers the owner's address with the provider could sign in as the owner.
        const user =
          verified === true
            ? await runCallback(authRequest, () => findActiveUserByEmail(services.db, stringOrEmpty(email)))
            : null;
        if (user) return user.requiresSecondFactor ? askForCode(user.id) : true;
        const reason = verified === true ? 'not_known' : 'email_not_verified';
        log.warn({ reason, address: origin.address, requestId }, 'sign-in refused');
        return false;
      },
      async jwt({ token, user, account, profile }) {
        if (!account) return { sub: token.sub, sid: token.sid };
        return runCallback(authRequest, async () => {
          if (account.provider === 'credentials') {
            const { method, ...signedInUser } = user as unknown as SignedInUser & { method: SignInMethod };
            return startSession({ ...signedInUser, id: Number(signedInUser.id) }, method);
          }
          const activeUser = await findActiveUserByEmail(services.db, profile!.email!);
          if (!activeUser || activeUser.requiresSecondFactor)
            throw new ServiceError('unauthorized', createReason('request.signInAgain'));
          return startSession(activeUser, 'oidc');
        });
      },
      async session({ session, token }) {
        const user = await runCallback(authRequest, () => findSessionUser(services.db, String(token.sid)));
        // next-auth has no way to say that a token's session has ended. A session without a user means that nobody is signed in.
        if (!user) return { expires: session.expires } as Session;
        return { expires: session.expires, user: { name: user.name, email: user.email } };
      },
      redirect: ({ url, baseUrl }) => urlWithin(baseUrl, url) ?? baseUrl + options.adminPrefix,
    },
    events: {
      async signOut({ token }) {
        const { sid } = token ?? {};
        if (typeof sid === 'string') await runCallback(authRequest, () => endSession(services.db, sid));
      },
    },
    logger: createSignInLogger(log, requestId),
    cookies: {
      sessionToken: {
        name: sessionCookieName(isHttps),
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps },
      },
    },
  };
}
