import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { methodNotAllowed, notFound, ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { networkOf } from '../core/http/address-range';
import { FIXED_PATHS } from '../core/http/fixed-paths';
import { type CounterStore, createCounter } from '../gateway/rate-limit-service';
import type { Handler } from '../http/api';
import { type BodyLimit, tooSlowError, watchBody } from '../http/body';
import { findUser } from '../http/caller/authentication';
import type { Exchange } from '../http/exchange';
import { localeOf, plainPagePolicy } from '../http/pages/plain-page';
import { loadSigningKeys, readSigningKeyVersion } from '../identity/oauth/signing-key-service';
import type { Services } from '../trpc/context';
import { publicError } from '../trpc/public-error';
import { createProvider, INTERACTION_PREFIX, ROUTES } from './configuration';
import { renderCannotContinuePage, renderClientErrorPage } from './error-page';
import { respondWithFailure, toProtocolError } from './error-response';
import { handleInteraction } from './interaction';
import type { InteractionAction } from './interaction-context';
import { loadOidcProvider } from './load-provider';

interface AuthorizationServerOptions {
  appUrl: string;
  /** The path of the back office; `/admin` by default. */
  adminPrefix: string;
  counterStore: CounterStore;
  bodyLimit: BodyLimit;
}

/** Token requests per minute from one network (see `networkOf`). Many clients can share one. */
const TOKEN_REQUESTS_PER_MINUTE = 600;
/** Sign-ins that may begin per minute from one network. A sign-in that is not finished stays stored for an hour. */
const SIGN_INS_PER_MINUTE = 120;
/** How long a change to the signing keys may go unnoticed. */
const KEY_CHECK_INTERVAL_MS = 30_000;

const GET_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const POST_METHODS = ['POST', 'OPTIONS'];

/** The fixed paths that are passed to oidc-provider, and their methods. oidc-provider has others, which we do not offer. */
const METHODS_BY_PATH = new Map<string, readonly string[]>([
  [ROUTES.authorization, ['GET']],
  [ROUTES.token, POST_METHODS],
  [ROUTES.userinfo, [...GET_METHODS, 'POST']],
  [ROUTES.jwks, GET_METHODS],
  [ROUTES.revocation, POST_METHODS],
  [ROUTES.introspection, POST_METHODS],
  ['/.well-known/openid-configuration', GET_METHODS],
  ['/.well-known/oauth-authorization-server', GET_METHODS],
]);

const INTERACTION_PATH = new RegExp(`^${INTERACTION_PREFIX}([\\w-]{16,64})(?:/(confirm|abort|sign-in))?$`);
const RESUME_PATH = new RegExp(`^${ROUTES.authorization}/[\\w-]{16,64}$`);

interface InteractionRoute {
  uid: string;
  action: InteractionAction | null;
}

/**
 * Returns the interaction that a request belongs to and the action that it posts, if any; null if oidc-provider handles the
 * request. Sets the exchange's route.
 *
 * @throws ServiceError `not_found` or `method_not_allowed`
 */
function routeRequest(exchange: Exchange): InteractionRoute | null {
  const { path, req } = exchange;
  const [interactionPath, uid = '', action = null] = INTERACTION_PATH.exec(path) ?? [];
  let methods = METHODS_BY_PATH.get(path);
  exchange.route = path;
  if (interactionPath) {
    exchange.route = `${INTERACTION_PREFIX}:uid${action ? `/${action}` : ''}`;
    methods = action ? ['POST'] : ['GET'];
  } else if (RESUME_PATH.test(path)) {
    exchange.route = `${ROUTES.authorization}/:uid`;
    methods = ['GET'];
  }
  if (!methods) {
    exchange.route = FIXED_PATHS.oauth;
    throw notFound(createReason('request.noPath'));
  }
  if (!methods.includes(req.method ?? '')) throw methodNotAllowed(methods);
  return interactionPath ? { uid, action: action as InteractionAction | null } : null;
}

/**
 * The policy of responses to authorization requests. For the page that posts the response to a client (`response_mode=form_post`),
 * oidc-provider adds the hash of its script to `script-src`, which must exist for that.
 */
const AUTHORIZATION_POLICY = "default-src 'none'; script-src 'none'; frame-ancestors 'none'";

/** Lets the page that posts the response to a client run its script, and post to the client only. */
function allowFormPost(context: Pick<KoaContextWithOIDC, 'response' | 'set'>, redirectUri: unknown): void {
  const policy = context.response.get('Content-Security-Policy');
  const [scriptHash] = /'sha256-[^']+'/.exec(policy) ?? [];
  if (scriptHash !== undefined && typeof redirectUri === 'string')
    context.set('Content-Security-Policy', plainPagePolicy(redirectUri, scriptHash));
}

/** Creates the OAuth 2.0 and OpenID Connect server: oidc-provider with the users of Brickdesk. */
export function createAuthorizationServer(services: Services, options: AuthorizationServerOptions): Handler {
  const { log } = services;
  const appUrl = new URL(options.appUrl);
  const exchangeByRequest = new WeakMap<IncomingMessage, Exchange>();
  const failureByRequest = new WeakMap<IncomingMessage, Error>();
  const createLimiter = (keyPrefix: string, points: number) =>
    createCounter(services.db.pool, options.counterStore, { keyPrefix, points, duration: 60 });
  const limiterByPath = new Map<string, RateLimiterAbstract>([
    [ROUTES.token, createLimiter('oauth-token', TOKEN_REQUESTS_PER_MINUTE)],
    [ROUTES.authorization, createLimiter('oauth-authorize', SIGN_INS_PER_MINUTE)],
  ]);
  const failureOptions = { services, adminPrefix: options.adminPrefix };

  async function buildProvider(): Promise<Provider> {
    const oidc = await loadOidcProvider(log);
    const provider = createProvider(oidc, {
      services,
      issuer: options.appUrl,
      keys: await loadSigningKeys(services),
      userOf: ({ req }) => findUser(services, exchangeByRequest.get(req)!),
      renderError(context, out, error) {
        const locale = localeOf(exchangeByRequest.get(context.req)!);
        const isExpired = error.name === 'SessionNotFound';
        context.type = 'html';
        context.set('Content-Security-Policy', plainPagePolicy());
        if (isExpired || out.error === 'server_error')
          context.body = renderCannotContinuePage(
            locale,
            isExpired ? 'expired' : 'server',
            options.adminPrefix,
          );
        else context.body = renderClientErrorPage(locale, out.error, out.error_description);
      },
    });
    const logFailure = (context: KoaContextWithOIDC, err: Error) => {
      failureByRequest.set(context.req, err);
      log.error({ err, requestId: exchangeByRequest.get(context.req)?.requestId }, 'authorization server');
    };
    provider.on('server_error', logFailure);
    // Without a listener for this event, Koa would write errors to the console.
    (provider as EventEmitter).on('error', (err) => log.error({ err }, 'authorization server'));
    provider.use(async (context, next) => {
      if (context.path.startsWith(ROUTES.authorization))
        context.set('Content-Security-Policy', AUTHORIZATION_POLICY);
      try {
        await next();
        allowFormPost(context, context.oidc?.params?.redirect_uri);
      } catch (thrown) {
        context.respond = false;
        respondWithFailure(exchangeByRequest.get(context.req)!, failureOptions, thrown);
        return;
      }
      const publicFailure = publicError(failureByRequest.get(context.req));
      if (context.status < 500 || publicFailure.code !== 'service_unavailable') return;
      // oidc-provider's own errors never tell the client to retry.
      context.status = publicFailure.status;
      context.set(publicFailure.headers);
      if (context.response.is('json')) context.body = toProtocolError(publicFailure).members;
    });
    return provider;
  }

  let cacheEntry: { provider: Promise<Provider>; version: string } | undefined;
  let checkedAtMs = 0;

  /**
   * Returns the provider. Rebuilds it if the signing keys have changed, which loses nothing because all of its state is in the
   * database. Looks for changes at most once every KEY_CHECK_INTERVAL_MS, unless `forceCheck` is true.
   */
  async function ensureCurrentProvider(forceCheck: boolean): Promise<Provider> {
    if (!cacheEntry || forceCheck || services.now() - checkedAtMs > KEY_CHECK_INTERVAL_MS) {
      const version = await readSigningKeyVersion(services.db);
      checkedAtMs = services.now();
      if (cacheEntry?.version !== version) {
        const newEntry = { provider: buildProvider(), version };
        cacheEntry = newEntry;
        newEntry.provider.catch(() => {
          if (cacheEntry === newEntry) cacheEntry = undefined;
        });
      }
    }
    return cacheEntry!.provider;
  }

  async function limitRequests({ path, address }: Exchange): Promise<void> {
    try {
      await limiterByPath.get(path)?.consume(networkOf(address) || 'none');
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown;
      throw new ServiceError('rate_limited', createReason('request.askedTooOften'), {
        headers: { 'Retry-After': String(Math.ceil(thrown.msBeforeNext / 1000)) },
      });
    }
  }

  /**
   * Passes a request to oidc-provider, which builds URLs from the host and scheme in the request's headers. Replaces these headers
   * with values from our configuration, because a client can send anything.
   */
  function forwardRequest({ req, res }: Exchange, provider: Provider): Promise<void> {
    req.headers.host = appUrl.host;
    req.headers['x-forwarded-host'] = appUrl.host;
    req.headers['x-forwarded-proto'] = appUrl.protocol.slice(0, -1);
    return provider.callback()(req, res);
  }

  return async (exchange) => {
    try {
      const interactionRoute = routeRequest(exchange);
      exchangeByRequest.set(exchange.req, exchange);
      await limitRequests(exchange);
      // The published keys must include a key that another server has just created.
      const provider = await ensureCurrentProvider(exchange.path === ROUTES.jwks);
      if (interactionRoute)
        await handleInteraction(exchange, provider, { services, ...options }, interactionRoute);
      else {
        const { bodyLimit } = options;
        watchBody(exchange.req, bodyLimit, () =>
          respondWithFailure(exchange, failureOptions, tooSlowError(bodyLimit)),
        );
        await forwardRequest(exchange, provider);
      }
    } catch (thrown) {
      respondWithFailure(exchange, failureOptions, thrown);
    }
  };
}
