import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { Permission } from '../identity/roles';
import type { Context } from './context';
import { publicError } from './public-error';

/** The credential that a procedure asks for. */
export type Credential = 'key' | 'bearer' | 'session';

/**
 * What an operation does to what is stored: nothing; adds a record each time; adds what is new, so that the same call again changes
 * nothing; or replaces stored values.
 */
export type Effect = 'reads' | 'appends' | 'merges' | 'replaces';

/** What every procedure declares; one that lacks `credential` does not start (api/operations.ts) and refuses (procedures.ts). */
export interface Meta extends OpenApiMeta {
  credential?: Credential;
  /** What a signed-in person must be allowed to do; every procedure with the session as credential says so. */
  may?: Permission;
  /** Open also to a person who has to set up a second factor first. */
  beforeTwoFactor?: boolean;
  /** Gives power: the person must have given the password, and code, within the last ten minutes. */
  confirmed?: boolean;
  /** How the body is handed over: parsed, or as the bytes that came. Default: parsed. */
  body?: 'json' | 'bytes';
  /** Which limit holds for the body: the two that are configured, or that of a CSV file. Default: the common one. */
  bodyLimit?: 'common' | 'csv' | 'import';
  /** What calling it does; every operation of the API says so. */
  effect?: Effect;
  /** Takes an Idempotency-Key. */
  idempotencyKey?: boolean;
  /** Answers 404 where nothing is known of what is asked for. */
  answersNotFound?: boolean;
  /** With format=text the answer is the text of its data, as text/plain. */
  plainText?: boolean;
  /** Asks another service, whose faults are 502, 503 and 504. */
  upstream?: boolean;
  /** Lists answer with a strong ETag and 304. */
  etag?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Subscriptions: proxies cut what is silent, and a stream that ends for good must not hold up a stop.
    sse: {
      ping: { enabled: true, intervalMs: 10_000 },
      maxDurationMs: 60_000,
      client: { reconnectAfterInactivityMs: 30_000 },
    },
    // What is not meant for clients, neither its text nor its stack, may reach them: the same public error as over REST.
    errorFormatter({ shape, error }) {
      const { code, status, message, reason, problems, problemCount } = publicError(error);
      return { ...shape, message, data: { code, httpStatus: status, reason, problems, problemCount } };
    },
  });

export const { router, mergeRouters, middleware, procedure: bareProcedure } = t;
