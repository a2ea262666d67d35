import { type RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { networkOf } from '../../core/http/address-range';
import { createAddressCounter } from '../../gateway/rate-limit-service';
import { authenticateKey } from '../../identity/keys/service';
import { authenticateBearer } from '../../identity/tokens/bearer-service';
import type { Services } from '../../trpc/context';
import type { Exchange } from '../exchange';
import { sessionTokenOf } from '../sign-in/session-token';
import { findUser } from './authentication';

/** Limits requests without a valid key, token or session, by client address. */
export interface UnauthenticatedLimit {
  /** @throws ServiceError `rate_limited` if the address has used up its limit and the request has no valid credential */
  check(exchange: Exchange): Promise<void>;
  /** Counts a finished request whose credentials were all invalid. Requests without credentials are counted by `check`. */
  countIfInvalid(exchange: Exchange): void;
}

/**
 * Paths without a limit: probes must always get a response; page assets are cheap, and one page loads dozens. The names in an
 * asset's path must be plain: Next would resolve `..` and `%2e%2e`, and then render an expensive page.
 */
const UNLIMITED_PATHS = /^\/(?:healthz|readyz|_next\/static(?:\/(?!\.)[\w.~-]+)+)$/;

const bearerTokenOf = ({ req }: Exchange) => /^Bearer +(\S+)/i.exec(req.headers.authorization ?? '')?.[1];

function hasCredential(services: Services, exchange: Exchange): boolean {
  const { headers } = exchange.req;
  return (
    headers['x-api-key'] !== undefined ||
    bearerTokenOf(exchange) !== undefined ||
    sessionTokenOf(headers.cookie, services.signIn.https) !== null
  );
}

/** Returns whether one of the request's credentials is valid, whatever its permissions. */
async function hasValidCredential(services: Services, exchange: Exchange): Promise<boolean> {
  if (exchange.key || exchange.user || exchange.bearer) return true;
  const key = exchange.req.headers['x-api-key'];
  if (typeof key === 'string' && (await authenticateKey(services.db, key, services.now))) return true;
  const token = bearerTokenOf(exchange);
  if (token !== undefined) {
    const authentication = await authenticateBearer(services, token);
    if ('user' in authentication || authentication.failure === 'insufficient_scope') return true;
  }
  return (await findUser(services, exchange)) !== null;
}

function limitError({ msBeforeNext }: RateLimiterRes): ServiceError {
  const seconds = String(Math.ceil(msBeforeNext / 1000));
  return new ServiceError('rate_limited', createReason('service.addressLimit', { seconds }), {
    headers: { 'Retry-After': seconds },
  });
}

/**
 * Creates the limit. A request without a credential is counted before it is handled; one with an invalid credential is counted
 * after the response. Requests with a valid credential always pass: once the address has used up its limit, the credential is
 * checked first. Each process counts in its own memory; only checking a well-formed credential queries
 * the database. IPv6 addresses count by their /64.
 */
export function createUnauthenticatedLimit(services: Services, perMinute: number): UnauthenticatedLimit {
  const counter: RateLimiterMemory = createAddressCounter(perMinute);
  const counterKeyOf = ({ address }: Exchange) => networkOf(address) || 'none';
  return {
    async check(exchange) {
      if (UNLIMITED_PATHS.test(exchange.path)) return;
      if (!hasCredential(services, exchange)) {
        try {
          await counter.consume(counterKeyOf(exchange));
        } catch (thrown) {
          throw thrown instanceof RateLimiterRes ? limitError(thrown) : thrown;
        }
        return;
      }
      const usage = await counter.get(counterKeyOf(exchange));
      if (usage && usage.consumedPoints >= perMinute && !(await hasValidCredential(services, exchange)))
        throw limitError(usage);
    },
    countIfInvalid(exchange) {
      if (UNLIMITED_PATHS.test(exchange.path) || !hasCredential(services, exchange)) return;
      if (exchange.key || exchange.user || exchange.bearer) return;
      hasValidCredential(services, exchange)
        .then(async (isValid) => {
          if (!isValid) await counter.penalty(counterKeyOf(exchange));
        })
        .catch((error: unknown) =>
          // The response is already sent, and during a database outage the next request reports it anyway.
          services.log.debug({ err: error, requestId: exchange.requestId }, 'credential not checked'),
        );
    },
  };
}
