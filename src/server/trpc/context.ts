import type { Received } from '../core/received';
import type { SecretBox } from '../core/secret-box';
import type { KeepAnswer } from '../gateway/idempotency-service';
import type { LastUse } from '../gateway/last-use-service';
import type { RateLimit } from '../gateway/rate-limit-service';
import type { KeyCalls } from '../identity/keys/call-service';
import type { KeyOperation } from '../identity/keys/scope';
import type { KeyPrincipal } from '../identity/keys/service';
import type { PersonPrincipal } from '../identity/sessions/session-service';
import type { BearerPrincipal, FindAccessToken } from '../identity/tokens/bearer-service';
import type { TextProvider } from '../messages/text-provider';
import type { PreviewServices } from '../orders/drafts/preview-service';
import type { Deployment } from '../settings/service';
import type { CarrierGate } from '../tracking/carriers/carrier-gate';

/** What every procedure may use: made once, when the server starts. */
export interface Services extends PreviewServices {
  keyUse: LastUse<number>;
  keyCalls: KeyCalls;
  /** What scopes of keys may name: a list that the router itself cannot import. */
  keyOperations: readonly KeyOperation[];
  sessionUse: LastUse<string>;
  personalTokenUse: LastUse<number>;
  /** Keys that are derived from the deployment's secret. */
  secrets: SecretBox;
  /** How sessions are told by their tokens. */
  signIn: { secret: string; https: boolean };
  sessionIdOf: (token: string) => Promise<string | null>;
  findAccessToken: FindAccessToken;
  rateLimit: RateLimit;
  /** The way to the configured carrier. */
  carrier: CarrierGate;
  /** Writes replies to buyers; null where none is configured. */
  textProvider: TextProvider | null;
  /** Tokens that replies may use in a UTC day, of a key without a number of its own. */
  replyTokensPerDay: number;
  /** With it configured, a callback must be signed. */
  trackingSecret: string | undefined;
  /** What people may see of the configuration. */
  deployment: Deployment;
  /** The clock, in milliseconds of the Unix epoch. */
  now: () => number;
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
