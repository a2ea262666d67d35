import { parseCookie } from 'cookie';
import nextAuthModule from 'next-auth';
import { methodNotAllowed, notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Services } from '../../trpc/context';
import { type Handler, respondWithError } from '../api';
import { type BodyLimit, readBody } from '../body';
import type { Exchange } from '../exchange';
import { SIGN_IN_PREFIX } from '../paths';
import { type AuthRequest, authOptions, type SignInOptions } from './auth-options';
import { defaultOf } from './next-auth-module';
import { createBufferedResponse } from './sign-in-response';

const NextAuth = defaultOf(nextAuthModule);

/** The bodies that the sign-in page sends are far smaller. */
const MAX_BODY_BYTES = 16_384;
/** The next-auth actions that we use. It has more; one of them lets anyone write to the log. */
const ACTIONS = new Set(['callback', 'csrf', 'error', 'providers', 'session', 'signin', 'signout']);

async function readForm({ req }: Exchange, limit: BodyLimit): Promise<Record<string, string>> {
  if (req.method !== 'POST') return {};
  const body = (await readBody(req, { ...limit, bytes: MAX_BODY_BYTES })).toString('utf8');
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? ''))
    return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(members.filter(([, member]) => typeof member === 'string'));
  } catch {
    return {};
  }
}

/** Returns the query parameters. next-auth copies `error` into a URL unchanged, so anything but a plain name is replaced. */
function readQuery({ query }: Exchange): Record<string, string> {
  const { error, ...otherParameters } = Object.fromEntries(new URLSearchParams(query));
  return error === undefined
    ? otherParameters
    : { ...otherParameters, error: /^\w{1,64}$/.test(error) ? error : 'other' };
}

/**
 * Creates the handler that runs next-auth for /api/auth, here rather than in a page's bundle, so that sign-in uses the same
 * services and connections as everything else. A signed-in user's token only names one of our sessions, which may have ended.
 */
export function createSignInHandler(services: Services, options: SignInOptions): Handler {
  const appUrl = new URL(options.appUrl);
  return async (exchange) => {
    const { req, path } = exchange;
    exchange.route = SIGN_IN_PREFIX;
    try {
      const actionPath = path.slice(SIGN_IN_PREFIX.length).split('/');
      if (!ACTIONS.has(actionPath[0]!)) throw notFound(createReason('request.noPath'));
      if (req.method !== 'GET' && req.method !== 'POST') throw methodNotAllowed(['GET', 'POST']);
      const authRequest: AuthRequest = {
        exchange,
        bufferedResponse: createBufferedResponse(),
        ownErrors: [],
      };
      const request = {
        method: req.method,
        headers: {
          ...req.headers,
          // The base of every URL that next-auth builds (config.ts, trustForwardedHost).
          'x-forwarded-host': appUrl.host,
          'x-forwarded-proto': appUrl.protocol.slice(0, -1),
        },
        cookies: parseCookie(req.headers.cookie ?? ''),
        query: { ...readQuery(exchange), nextauth: actionPath },
        body: await readForm(exchange, options.bodyLimit),
      };
      await NextAuth(
        request as never,
        authRequest.bufferedResponse.response as never,
        authOptions(services, options, authRequest),
      );
      if (authRequest.ownErrors.length > 0) throw authRequest.ownErrors[0];
      authRequest.bufferedResponse.release(exchange);
    } catch (thrown) {
      respondWithError(exchange, services, thrown);
    }
  };
}
