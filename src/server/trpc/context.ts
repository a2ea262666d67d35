import type { Log } from '../core/log';
import type { Received } from '../core/received';
import type { SecretBox } from '../core/secret-box';
import type { Database } from '../db/client';
import type { KeepAnswer } from '../gateway/idempotency-service';
import type { LastUse } from '../gateway/last-use-service';
import type { RateLimit } from '../gateway/rate-limit-service';
import type { BearerPrincipal, KeyPrincipal, PersonPrincipal } from '../identity/principals';
import type { KeyOperation } from '../identity/scope';

/**
 * What procedures work with, created once at startup (runtime/open-services.ts). Only what every call needs is listed here: each
 * domain adds its own services to this interface in its router, so that trpc/ does not depend on any domain.
 */
export interface Services {
  db: Database;
  log: Log;
  /** The clock, in milliseconds of the Unix epoch. */
  now: () => number;
  /** Keys derived from the deployment's secret. */
  secrets: SecretBox;
  /** What session tokens are signed with, and whether cookies are for HTTPS only. */
  signIn: { secret: string; https: boolean };
  /** The operations that scopes of keys may name: read off the router, which nothing below it can import. */
  keyOperations: readonly KeyOperation[];
  rateLimit: RateLimit;
  keyUse: LastUse<number>;
  sessionUse: LastUse<string>;
  personalTokenUse: LastUse<number>;
}

/** Who asks. */
export interface Callers {
  /** The API key of the request, where it came with a good one. */
  key: KeyPrincipal | null;
  /** The person who is signed in, where the operation asks for that. */
  person: PersonPrincipal | null;
  /** The person whom the bearer token stands for, where the operation asks for one. */
  bearer: BearerPrincipal | null;
}

/** What a procedure knows of its request: who asks, and under which id. */
export interface Context extends Callers {
  services: Services;
  requestId: string;
  /**
   * Who asks, now that the whole request has arrived: read again unless that was so when it was read, and before each further
   * change of the same request. Throws `unauthorized` or `forbidden` where the caller may no longer ask.
   */
  confirm(changes: boolean): Promise<Callers>;
  /** The client's address; empty where it has none. */
  address: string;
  /** The body as it came, for procedures that take it so; null in a batch of native calls. */
  body: Uint8Array | null;
  /** Is aborted where the client leaves before it has its answer. */
  gone(): AbortSignal;
  /** Keeps the answer for the request's Idempotency-Key inside a transaction; null where it has none. */
  keepAnswer: KeepAnswer | null;
  /** One header of the request, or null. */
  header(name: string): string | null;
  /** What else the request brought, its credentials masked. */
  received(): Received;
}
