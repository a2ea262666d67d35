import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { Permission } from '../identity/roles';
import type { Context } from './context';
import { publicError } from './public-error';

/** The credential that a procedure requires. */
export type Credential = 'key' | 'bearer' | 'session';

/**
 * What an operation does to stored data: reads it; appends a record each time; merges new data, so that repeating the call
 * changes nothing; or replaces stored values.
 */
export type Effect = 'reads' | 'appends' | 'merges' | 'replaces';

/**
 * What every procedure declares. Without a `credential`, the service does not start (api/operations.ts) and the procedure
 * refuses every call (procedures.ts).
 */
export interface Meta extends OpenApiMeta {
  credential?: Credential;
  /** The permission that a signed-in user needs; required if the credential is a session. */
  permission?: Permission;
  /** Also open to users who still have to set up a required second factor. */
  isAllowedBeforeTwoFactor?: boolean;
  /** The procedure only reads, and may read from a replica that has caught up with the primary (docs/replica.md). */
  fromReplica?: boolean;
  /** Sensitive: the user must have signed in, or confirmed their identity again, within the last ten minutes. */
  requiresConfirmation?: boolean;
  /** How the procedure receives the body: parsed (the default), or as raw bytes. */
  body?: 'json' | 'bytes';
  /** Which limit applies to the body: the common one (the default), that for CSV files, or that for imports. */
  bodyLimit?: 'common' | 'csv' | 'import';
  /** The effect of a call; every operation of the API declares it. */
  effect?: Effect;
  /** Accepts an Idempotency-Key. */
  acceptsIdempotencyKey?: boolean;
  /** Responds with 404 if nothing is known about the requested item. */
  returnsNotFound?: boolean;
  /** With format=text, responds with `data.text` as text/plain. */
  offersPlainText?: boolean;
  /** Calls another service, whose failures are 502, 503 and 504. */
  callsUpstream?: boolean;
  /** Counts against the key's daily token budget, and responds with 429 once that is used up (docs/replies.md). */
  usesTokenBudget?: boolean;
  /** The response has a strong ETag and can be 304. */
  hasEtag?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // For subscriptions: proxies close silent connections, and an endless stream must not delay a shutdown.
    sse: {
      ping: { enabled: true, intervalMs: 10_000 },
      maxDurationMs: 60_000,
      client: { reconnectAfterInactivityMs: 30_000 },
    },
    // Neither the message nor the stack of an internal error may reach clients: they get the same public error as in REST.
    errorFormatter({ shape, error }) {
      const { code, status, message, reason, problems, problemCount, members } = publicError(error);
      return {
        ...shape,
        message,
        data: { code, httpStatus: status, reason, problems, problemCount, members },
      };
    },
  });

export const { router, mergeRouters, middleware, procedure: bareProcedure } = t;
