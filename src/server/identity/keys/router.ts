import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { requireKnownScopes } from '../scope';
import type { KeyCallLog } from './call-service';
import { listKeyCalls } from './call-view-service';
import { revokeApiKey, updateApiKey } from './change-service';
import { rotateApiKey } from './rotation-service';
import {
  createdKeyOutput,
  createKeyInput,
  keyCallsInput,
  keyCallsOutput,
  keyInput,
  keyOperationsOutput,
  keyOutput,
  keysOutput,
  rotatedKeyOutput,
  rotateKeyInput,
  updateKeyInput,
} from './schema';
import { createApiKey } from './service';
import { listApiKeys, readApiKey } from './view-service';

declare module '../../trpc/context' {
  interface Services {
    /** Writes the request log of API keys. */
    keyCalls: KeyCallLog;
  }
}

const readProcedure = userProcedure('keys.read');
const writeProcedure = userProcedure('keys.write');
/** Requires confirmation: creating a key grants access, and so does adding scopes or addresses or extending the expiry. */
const confirmedWriteProcedure = userProcedure('keys.write', { requiresConfirmation: true });

/** API keys of integrations, for the users who manage them. */
export const keyRouter = router({
  list: readProcedure.output(keysOutput).query(({ ctx: { services } }) => listApiKeys(services)),

  operations: readProcedure
    .output(keyOperationsOutput)
    .query(({ ctx: { services } }) => [...services.keyOperations]),

  calls: readProcedure
    .input(keyCallsInput)
    .output(keyCallsOutput)
    .query(({ ctx: { services }, input: { id, errors_only: errorsOnly, ...page } }) =>
      listKeyCalls(services.db, id, { ...page, errorsOnly, days: services.keyCalls.days }),
    ),

  create: confirmedWriteProcedure
    .input(createKeyInput)
    .output(createdKeyOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { name, scopes, expires_at: expiresAt, address_ranges: addressRanges } = input;
      const { reply_tokens_per_day: replyTokensPerDay } = input;
      requireKnownScopes(services.keyOperations, scopes);
      const newKey = await createApiKey(services.db, actor, {
        name,
        scopes,
        expiresAt,
        addressRanges,
        replyTokensPerDay,
      });
      return { ...(await readApiKey(services, newKey.id)), key: newKey.key };
    }),

  update: confirmedWriteProcedure
    .input(updateKeyInput)
    .output(keyOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { id, name, expires_at: expiresAt, scopes, address_ranges: addressRanges } = input;
      const { reply_tokens_per_day: replyTokensPerDay, shown } = input;
      if (scopes) requireKnownScopes(services.keyOperations, scopes);
      await updateApiKey(services.db, actor, id, {
        name,
        expiresAt,
        scopes,
        addressRanges,
        replyTokensPerDay,
        shown,
      });
      return readApiKey(services, id);
    }),

  revoke: writeProcedure
    .input(keyInput)
    .output(keyOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await revokeApiKey(services.db, actor, input.id);
      return readApiKey(services, input.id);
    }),

  rotate: confirmedWriteProcedure
    .input(rotateKeyInput)
    .output(rotatedKeyOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { id, key, old } = await rotateApiKey(services.db, actor, input.id, input.grace_hours);
      const expires_at = old.expiresAt.toISOString();
      return { ...(await readApiKey(services, id)), key, old: { id: old.id, expires_at } };
    }),
});
