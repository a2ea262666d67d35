import { type RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../core/address-range';
import { ServiceError } from '../core/errors';
import { because } from '../core/reason';
import { createAddressCounter } from '../gateway/rate-limit-service';
import { authenticateKey } from '../identity/keys/service';
import { authenticateBearer } from '../identity/tokens/bearer-service';
import type { Services } from '../trpc/context';
import { findPerson } from './admission';
import type { Exchange } from './exchange';
import { sessionTokenOf } from './session-token';

/** Limits what comes without a valid key, token or session, by the address of its sender. */
export interface UnauthenticatedLimit {
  /** @throws ServiceError `rate_limited` where the address has used up its minute and the request has no valid credential */
  admit(exchange: Exchange): Promise<void>;
  /** Counts a request that has been answered and whose credential was none. */
  settle(exchange: Exchange): void;
}

/** Probes must always be answered; the files of pages cost next to nothing, and one page asks for dozens. */
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

/** Whether one of the request's credentials is good, whatever it may be used for. */
async function isKnown(services: Services, exchange: Exchange): Promise<boolean> {
  if (exchange.key || exchange.person || exchange.bearer) return true;
  const key = exchange.req.headers['x-api-key'];
  if (typeof key === 'string' && (await authenticateKey(services.db, key, services.now))) return true;
  const token = bearerOf(exchange);
  if (token !== undefined) {
    const found = await authenticateBearer(services, token);
    if ('person' in found || found.refused === 'insufficient_scope') return true;
  }
  return (await findPerson(services, exchange)) !== null;
}

function refusal({ msBeforeNext }: RateLimiterRes): ServiceError {
  const seconds = String(Math.ceil(msBeforeNext / 1000));
  return new ServiceError('rate_limited', because('service.addressLimit', { seconds }), {
    headers: { 'Retry-After': seconds },
  });
}

/**
 * A request without a credential is counted before anything is done for it, one with a credential after it was answered, where
 * the credential turned out to be bad. Whoever has a good one is served however much others at the same address ask: only once
 * the address has used up its minute is the credential looked at first. Each process counts by itself, in memory, so that a
 * flood does not reach the database. Of IPv6 addresses the /64 counts.
 */
export function createUnauthenticatedLimit(services: Services, perMinute: number): UnauthenticatedLimit {
  const counter: RateLimiterMemory = createAddressCounter(perMinute);
  const callerOf = ({ address }: Exchange) => networkOf(address) || 'none';
  return {
    async admit(exchange) {
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
      if (exchange.key || exchange.person || exchange.bearer) return;
      isKnown(services, exchange)
        .then(async (known) => {
          if (!known) await counter.penalty(callerOf(exchange));
        })
        .catch((error: unknown) =>
          // Nobody can be told any more, and where the database is away the next request says so itself.
          services.log.debug({ err: error, requestId: exchange.requestId }, 'credential not checked'),
        );
    },
  };
}
