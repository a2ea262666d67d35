import type { Received } from '../core/received';
import type { SecretBox } from '../core/secret-box';
import type { KeepAnswer } from '../gateway/idempotency-service';
import type { LastUse } from '../gateway/last-use-service';
import type { RateLimit } from '../gateway/rate-limit-service';
import type { KeyCalls } from '../identity/keys/call-service';
import type { KeyOperation } from '../identity/keys/scope';
import type { KeyPrincipal } from '../identity/keys/service';
import type { SignInLimits } from '../identity/sessions/attempt-service';
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
  signInLimits: SignInLimits;
  /** How sessions are told by their tokens. */
  signIn: { secret: string; https: boolean };
  sessionIdOf: (token: string) => Promise<string | null>;
  findAccessToken: FindAccessToken;
  rateLimit: RateLimit;
  /** The way to the configured carrier. */
  carrier: CarrierGate;
  /** Writes replies to buyers; null where none is configured. */
  textProvider: TextProvider | null;
  /** With it configured, a callback must be signed. */
  trackingSecret: string | undefined;
  /** What people may see of the configuration. */
  deployment: Deployment;
  /** The clock, in milliseconds of the Unix epoch. */
  now: () => number;
}

/** What a procedure knows of its request: who asks, and under which id. */
export interface Context {
  services: Services;
  requestId: string;
  /** The API key of the request, where it came with a good one. */
  key: KeyPrincipal | null;
  /** The person who is signed in, where the operation asks for that. */
  person: PersonPrincipal | null;
  /** The person whom the bearer token stands for, where the operation asks for one. */
  bearer: BearerPrincipal | null;
  /** The client's address; empty where it has none. */
  address: string;
  /** The body as it came, for REST operations that take it so; null for native calls. */
  body: Uint8Array | null;
  /** Keeps the answer for the request's Idempotency-Key inside a transaction; null where it has none. */
  keepAnswer: KeepAnswer | null;
  /** One header of the request, or null. */
  header(name: string): string | null;
  /** What else the request brought, without credentials. */
  received(): Received;
}
