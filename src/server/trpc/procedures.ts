import { TRPCError } from '@trpc/server';
import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { inSpan } from '../core/tracing';
import { failedOnReplica } from '../db/replica';
import type { BearerPrincipal, KeyPrincipal, SignedInActor, UserPrincipal } from '../identity/principals';
import { hasPermission, type Permission } from '../identity/roles';
import { scopeRefusal } from '../identity/scope';
import type { Caller, Context } from './context';
import { bareProcedure, type Meta, middleware } from './init';
import { publicError } from './public-error';

/**
 * Returns why the caller may not call a procedure, or null. Denies by default: nobody may call a procedure without a declared
 * credential.
 */
function refusalOf(ctx: Caller, meta: Meta | undefined): ServiceError | null {
  switch (meta?.credential) {
    case 'key':
      if (!ctx.key) return new ServiceError('unauthorized', createReason('request.keyRequired'));
      return scopeRefusal(ctx.key, meta.openapi?.operationId);
    case 'bearer':
      return ctx.bearer ? null : new ServiceError('unauthorized', createReason('request.bearerRequired'));
    case 'session':
      return refusalOfUser(ctx.user, meta);
    default:
      return new ServiceError('unauthorized', createReason('request.notCallable'));
  }
}

/** Returns why a user may not call a procedure with this declaration, or null. */
export function refusalOfUser(
  user: UserPrincipal | null,
  { permission, isAllowedBeforeTwoFactor, requiresConfirmation }: Meta,
): ServiceError | null {
  if (!user) return new ServiceError('unauthorized', createReason('answer.signIn'));
  if (permission === undefined || !hasPermission(user.role, permission))
    return new ServiceError('forbidden', createReason('service.role'));
  if (user.mustSetUpTwoFactor && !isAllowedBeforeTwoFactor)
    return new ServiceError('forbidden', createReason('answer.twoFactorFirst'));
  if (requiresConfirmation && !user.confirmed)
    return new ServiceError('confirmation_required', createReason('user.confirm'));
  return null;
}

/** @throws TRPCError with the ServiceError `unauthorized`, `forbidden` or `confirmation_required` as its cause */
function requireAllowedCaller(caller: Caller, meta: Meta | undefined): void {
  const cause = refusalOf(caller, meta);
  if (cause === null) return;
  throw new TRPCError({ code: cause.code === 'unauthorized' ? 'UNAUTHORIZED' : 'FORBIDDEN', cause });
}

/** Refuses callers who may not call the procedure, including those who lost access while the request was being read. */
const authorize = middleware(({ ctx, meta, type, path, next }) =>
  inSpan(`procedure ${path}`, {}, async (span) => {
    const caller = await ctx.recheckCaller(type === 'mutation');
    requireAllowedCaller(caller, meta);
    /** Checks the caller again. Procedures that may wait a long time call it before they change anything. Throws a ServiceError. */
    const requireCallerAfterWait = async (): Promise<void> => {
      const refusal = refusalOf(await ctx.recheckCallerAfterWait(), meta);
      if (refusal) throw refusal;
    };
    const result = await next({ ctx: { ...caller, requireCallerAfterWait } });
    if (!result.ok) span.fail(publicError(result.error).code);
    return result;
  }),
);

/**
 * Runs a procedure on the replica if its declaration allows that and the replica is up to date, and again on the primary if the
 * replica fails.
 */
const chooseDatabase = middleware(async ({ ctx: { services }, meta, next }) => {
  const db = meta?.fromReplica ? await services.replica?.findUpToDateDatabase() : null;
  if (!db) return next();
  const result = await next({ ctx: { services: { ...services, db } } });
  return result.ok || !failedOnReplica(result.error) ? result : next();
});

/** Limits how many connections a page's read takes, and begins no more statements once nobody waits for its result. */
const limitPageRead = middleware(({ ctx: { services, user, abortSignal }, meta, next }) => {
  if (!meta?.fromReplica || !user) return next();
  return services.pageReads.run({ userId: user.userId, db: services.db, signal: abortSignal() }, (db) =>
    next({ ctx: { services: { ...services, db } } }),
  );
});

const baseProcedure = bareProcedure.use(authorize).use(chooseDatabase).use(limitPageRead);

/** A procedure for callers with an API key. */
export const keyProcedure = baseProcedure.meta({ credential: 'key' }).use(({ ctx, next }) => {
  const key: KeyPrincipal = ctx.key!;
  return next({ ctx: { key } });
});

/** A procedure for the user of a bearer token. */
export const bearerProcedure = baseProcedure.meta({ credential: 'bearer' }).use(({ ctx, next }) => {
  const bearer: BearerPrincipal = ctx.bearer!;
  return next({ ctx: { bearer } });
});

/** Returns the actor for the audit log, with the role that determines whom they may manage and the session in which they act. */
export function actorOf(user: UserPrincipal, ctx: Pick<Context, 'address' | 'requestId'>): SignedInActor {
  return {
    kind: 'user',
    id: user.userId,
    name: user.email,
    role: user.role,
    sessionId: user.sessionId,
    address: ctx.address || undefined,
    requestId: ctx.requestId,
  };
}

const signedInProcedure = baseProcedure.meta({ credential: 'session' }).use(({ ctx, next }) => {
  const user: UserPrincipal = ctx.user!;
  return next({ ctx: { user, actor: actorOf(user, ctx) } });
});

/** A procedure of the back office, for users whose role has the permission. */
export function userProcedure(
  permission: Permission,
  options: Pick<Meta, 'isAllowedBeforeTwoFactor' | 'requiresConfirmation' | 'bodyLimit' | 'fromReplica'> = {},
) {
  return signedInProcedure.meta({ permission, ...options });
}
