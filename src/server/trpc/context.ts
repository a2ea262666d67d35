import type { Log } from '../core/log';
import type { Received } from '../core/received';
import type { SecretBox } from '../core/secret-box';
import type { Database } from '../db/client';
import type { Replica } from '../db/replica';
import type { StoreResponse } from '../gateway/idempotency-service';
import type { LastUse } from '../gateway/last-use-service';
import type { RateLimit } from '../gateway/rate-limit-service';
import type { BearerPrincipal, KeyPrincipal, UserPrincipal } from '../identity/principals';
import type { KeyOperation } from '../identity/scope';

/**
 * What procedures work with, created once at startup (runtime/open-services.ts). Lists only what every call needs: each domain
 * adds its own services to this interface in its router, so that trpc/ depends on no domain.
 */
export interface Services {
  db: Database;
  /** A copy of the database for procedures and downloads that declare it; null if there is none. */
  replica: Replica | null;
  log: Log;
  /** The clock, in milliseconds of the Unix epoch. */
  now: () => number;
  /** Keys derived from the deployment's secret. */
  secrets: SecretBox;
  /** The secret that signs session tokens, and whether cookies are for HTTPS only. */
  signIn: { secret: string; https: boolean };
  /** The operations that key scopes may name. They come from the router, which nothing below it can import. */
  keyOperations: readonly KeyOperation[];
  rateLimit: RateLimit;
  keyUse: LastUse<number>;
  sessionUse: LastUse<string>;
  personalTokenUse: LastUse<number>;
}

/** The caller. */
export interface Callers {
  /** The request's API key, if it is valid. */
  key: KeyPrincipal | null;
  /** The signed-in user, if the operation asks for one. */
  user: UserPrincipal | null;
  /** The user of the bearer token, if the operation asks for one. */
  bearer: BearerPrincipal | null;
}

/** What a procedure knows of its request: the caller, and the request id. */
export interface Context extends Callers {
  services: Services;
  requestId: string;
  /**
   * Returns the caller after the whole request has arrived. Looks the caller up again unless the request was complete at the
   * last lookup, and before each further change of the same request. Throws `unauthorized` or `forbidden` if the caller is no
   * longer authorized.
   */
  recheckCaller(changes: boolean): Promise<Callers>;
  /** The client's address; empty if there is none. */
  address: string;
  /** The raw body, for procedures that want it; null in a batch of native calls. */
  body: Uint8Array | null;
  /** Aborts when the client disconnects before the response. */
  gone(): AbortSignal;
  /** Stores the response for the request's Idempotency-Key inside a transaction; null if it has none. */
  storeResponse: StoreResponse | null;
  /** Returns one header of the request, or null. */
  header(name: string): string | null;
  /** What else the request carried, with credentials masked. */
  received(): Received;
}
