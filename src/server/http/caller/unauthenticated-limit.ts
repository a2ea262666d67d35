import { type RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../core/address-range';
import { ServiceError } from '../../core/errors/errors';
import { because } from '../../core/errors/reason';
import { createAddressCounter } from '../../gateway/rate-limit-service';
import { authenticateKey } from '../../identity/keys/service';
import { authenticateBearer } from '../../identity/tokens/bearer-service';
import type { Services } from '../../trpc/context';
import type { Exchange } from '../exchange';
import { sessionTokenOf } from '../sign-in/session-token';
import { findUser } from './authentication';

/** Limits requests without a valid key, token or session, by client address. */
export interface UnauthenticatedLimit {
  /** @throws ServiceError `rate_limited` if the address has used up its minute and the request has no valid credential */
  check(exchange: Exchange): Promise<void>;
  /** Counts a finished request that had no valid credential. */
  settle(exchange: Exchange): void;
}

/** Probes must always get a response; page assets cost next to nothing, and one page loads dozens. */
const FREE = /^\/(?:healthz$|readyz$|_next\/static\/)/;

const bearerOf = ({ req }: Exchange) => /^Bearer +(\S+)/i.exec(req.headers.authorization ?? '')?.[1];

function hasCredential(services: Services, exchange: Exchange): boolean {
  const { headers } = exchange.req;
  return (
    headers['x-api-key'] !== undefined ||
    bearerOf(exchange) !== undefined ||
    sessionTokenOf(headers.cookie, services.signIn.https) !== null
  );
}

/** Returns whether one of the request's credentials is valid, whatever it may be used for. */
async function isKnown(services: Services, exchange: Exchange): Promise<boolean> {
  if (exchange.key || exchange.user || exchange.bearer) return true;
  const key = exchange.req.headers['x-api-key'];
  if (typeof key === 'string' && (await authenticateKey(services.db, key, services.now))) return true;
  const token = bearerOf(exchange);
  if (token !== undefined) {
    const found = await authenticateBearer(services, token);
    if ('user' in found || found.refused === 'insufficient_scope') return true;
  }
  return (await findUser(services, exchange)) !== null;
}

function refusal({ msBeforeNext }: RateLimiterRes): ServiceError {
  const seconds = String(Math.ceil(msBeforeNext / 1000));
  return new ServiceError('rate_limited', because('service.addressLimit', { seconds }), {
    headers: { 'Retry-After': seconds },
  });
}

/**
 * Counts a request without a credential before doing anything for it; counts one with a credential after the response, if the
 * credential turned out to be invalid. Valid credentials are served however busy others at the same address are: the credential
 * is checked first only when the address has used up its minute. Each process counts in its own memory, so that a flood does
 * not reach the database. IPv6 addresses count by their /64.
 */
export function createUnauthenticatedLimit(services: Services, perMinute: number): UnauthenticatedLimit {
  const counter: RateLimiterMemory = createAddressCounter(perMinute);
  const callerOf = ({ address }: Exchange) => networkOf(address) || 'none';
  return {
    async check(exchange) {
      if (FREE.test(exchange.path)) return;
      if (!hasCredential(services, exchange)) {
        try {
          await counter.consume(callerOf(exchange));
        } catch (rejected) {
          throw rejected instanceof RateLimiterRes ? refusal(rejected) : rejected;
        }
        return;
      }
      const counted = await counter.get(callerOf(exchange));
      if (counted && counted.consumedPoints >= perMinute && !(await isKnown(services, exchange)))
        throw refusal(counted);
    },
    settle(exchange) {
      if (FREE.test(exchange.path) || !hasCredential(services, exchange)) return;
      if (exchange.key || exchange.user || exchange.bearer) return;
      isKnown(services, exchange)
        .then(async (known) => {
          if (!known) await counter.penalty(callerOf(exchange));
        })
        .catch((error: unknown) =>
          // The response is already sent, and during a database outage the next request reports it anyway.
          services.log.debug({ err: error, requestId: exchange.requestId }, 'credential not checked'),
        );
    },
  };
}
