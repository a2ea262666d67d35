import type { ReceivedRequest } from '../core/http/received-request';
import type { Log } from '../core/log';
import type { SecretBox } from '../core/secret-box';
import type { Database } from '../db/client';
import type { PageReads } from '../db/page-reads';
import type { Replica } from '../db/replica';
import type { StoreResponse } from '../gateway/idempotency-service';
import type { LastUseRecorder } from '../gateway/last-use-service';
import type { CountRequest } from '../gateway/rate-limit-service';
import type { BearerPrincipal, KeyPrincipal, UserPrincipal } from '../identity/principals';
import type { KeyOperation } from '../identity/scope';

/**
 * The services that procedures use, created once at startup (runtime/open-services.ts). Declares only those that every call
 * needs: each domain adds its own to this interface in its router, so that trpc/ does not depend on any domain.
 */
export interface Services {
  db: Database;
  /** A copy of the database, for procedures and downloads that declare that they may read it; null if there is none. */
  replica: Replica | null;
  /** Limits how many connections the pages of one user take. */
  pageReads: PageReads;
  log: Log;
  /** The clock, in milliseconds since the Unix epoch. */
  now: () => number;
  /** Encrypts stored secrets with keys derived from the deployment's secret. */
  secrets: SecretBox;
  /** The secret that encrypts session tokens, and whether cookies are for HTTPS only. */
  signIn: { secret: string; https: boolean };
  /** The operations that key scopes may name. Passed here because the services cannot import the router. */
  keyOperations: readonly KeyOperation[];
  countRequest: CountRequest;
  keyUse: LastUseRecorder<number>;
  sessionUse: LastUseRecorder<string>;
  personalTokenUse: LastUseRecorder<number>;
}

/** The caller, as identified by each kind of credential; null for a kind that identifies nobody. */
export interface Caller {
  /** The request's API key, if it is valid. */
  key: KeyPrincipal | null;
  /** The signed-in user; null unless the caller was identified by a session. */
  user: UserPrincipal | null;
  /** The user of the bearer token, if the operation requires one. */
  bearer: BearerPrincipal | null;
}

/** What a procedure knows about its request. */
export interface Context extends Caller {
  services: Services;
  requestId: string;
  /**
   * Makes sure that the caller is still authorized, and returns the caller. Looks the caller up again if the request was not yet
   * complete at the last lookup, and before each further change in the same request; `isMutation`: whether the call changes something.
   * Throws `unauthorized` or `forbidden` if the caller is no longer authorized.
   */
  recheckCaller(isMutation: boolean): Promise<Caller>;
  /** Like `recheckCaller`, but looks the caller up again if the last lookup is more than a second old. */
  recheckCallerAfterWait(): Promise<Caller>;
  /** The client's address; empty if there is none. */
  address: string;
  /** The raw body, for procedures that declare `bytes`; null for all others, and in a batch of native calls. */
  body: Uint8Array | null;
  /** Returns a signal that aborts if the client disconnects before the response. */
  abortSignal(): AbortSignal;
  /** Stores the response for the request's Idempotency-Key inside a transaction; null if the request has none. */
  storeResponse: StoreResponse | null;
  /** Returns a header of the request, or null. */
  header(name: string): string | null;
  /** Returns the request's method, query and headers, with credentials masked. */
  receivedRequest(): ReceivedRequest;
}
