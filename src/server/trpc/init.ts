import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { isServiceError } from '../core/errors';
import type { Context } from './context';

/** The credential that a procedure asks for. */
export type Credential = 'key' | 'bearer';

/** What every procedure declares; one that lacks `credential` does not start (routes.ts) and refuses (procedures.ts). */
export interface Meta extends OpenApiMeta {
  credential?: Credential;
  /** How the body is handed over: parsed, or as the bytes that came. Default: parsed. */
  body?: 'json' | 'bytes';
  /** Which of the configured limits holds for the body. Default: the common one. */
  bodyLimit?: 'common' | 'import';
  /** Takes an Idempotency-Key. */
  idempotent?: boolean;
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
    errorFormatter({ shape, error }) {
      const { cause } = error;
      if (isServiceError(cause)) {
        return { ...shape, message: cause.message, data: { code: cause.code, httpStatus: cause.status } };
      }
      // What is no ServiceError was not meant for clients: neither its text nor its stack may reach them.
      const internal = error.code === 'INTERNAL_SERVER_ERROR';
      return {
        ...shape,
        message: internal ? 'An internal error happened.' : shape.message,
        data: { code: shape.data.code, httpStatus: shape.data.httpStatus },
      };
    },
  });

export const { router, middleware, procedure: bareProcedure } = t;
