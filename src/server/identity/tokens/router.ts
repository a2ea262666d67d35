import { DAY_MS } from '../../core/days';
import { doneOutput } from '../../core/fields';
import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { createPersonalToken, listPersonalTokens, revokePersonalToken } from './personal-token-service';
import { createdTokenOutput, createTokenInput, tokenInput, tokensOutput } from './schema';

const ownProcedure = userProcedure('self.manage');
const confirmedOwnProcedure = userProcedure('self.manage', { requiresConfirmation: true });

/** The user's own access tokens. */
export const tokenRouter = router({
  list: ownProcedure.output(tokensOutput).query(async ({ ctx: { services, user } }) => {
    const tokens = await listPersonalTokens(services.db, user.userId);
    return tokens.map((token) => ({
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      last_four: token.lastFour,
      state: token.revokedAt
        ? ('revoked' as const)
        : token.expiresAt.getTime() <= services.now()
          ? ('expired' as const)
          : ('active' as const),
      scopes: token.scopes,
      created_at: token.createdAt.toISOString(),
      expires_at: token.expiresAt.toISOString(),
      last_used_at: token.lastUsedAt?.toISOString() ?? null,
      revoked_at: token.revokedAt?.toISOString() ?? null,
    }));
  }),

  create: confirmedOwnProcedure
    .input(createTokenInput)
    .output(createdTokenOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => {
      const expiresAt = new Date(services.now() + input.expires_in_days * DAY_MS);
      const { id, token } = await createPersonalToken(services.db, actor, {
        userId: user.userId,
        sessionId: user.sessionId,
        name: input.name,
        expiresAt,
      });
      return { id, name: input.name, token, expires_at: expiresAt.toISOString() };
    }),

  revoke: ownProcedure
    .input(tokenInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user, actor }, input }) => {
      await revokePersonalToken(services.db, actor, { userId: user.userId, id: input.id });
      return { done: true as const };
    }),
});
