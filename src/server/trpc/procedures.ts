import { TRPCError } from '@trpc/server';
import { ServiceError } from '../core/errors';
import type { KeyPrincipal } from '../identity/key-service';
import { bareProcedure, middleware } from './init';

/** Denies by default: whatever a procedure forgot to declare, nobody may call. */
const authorize = middleware(({ ctx, meta, next }) => {
  if (meta?.credential === 'key' && ctx.key !== null) return next();
  throw new TRPCError({
    code: 'UNAUTHORIZED',
    cause: new ServiceError('unauthorized', 'A valid X-Api-Key header is required.'),
  });
});

const base = bareProcedure.use(authorize);

/** A procedure for callers with an API key. */
export const keyProcedure = base.meta({ credential: 'key' }).use(({ ctx, next }) => {
  const key: KeyPrincipal = ctx.key!;
  return next({ ctx: { key } });
});

/** A procedure for the person whom a bearer token stands for. No token is good before there are people who sign in. */
export const bearerProcedure = base.meta({ credential: 'bearer' });
