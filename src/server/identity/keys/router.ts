import { router } from '../../trpc/init';
import { personProcedure } from '../../trpc/procedures';
import { requireKnownScopes } from '../scope';
import type { KeyCalls } from './call-service';
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
import { type ApiKeyView, keyState, listApiKeys, readApiKey } from './view-service';

declare module '../../trpc/context' {
  interface Services {
    /** Writes the request log of API keys. */
    keyCalls: KeyCalls;
  }
}

const reading = personProcedure('keys.read');
const writing = personProcedure('keys.write');
/** A key gives power, and so do more scopes, addresses or time. */
const empowering = personProcedure('keys.write', { confirmed: true });

type Services = Parameters<Parameters<(typeof reading)['query']>[0]>[0]['ctx']['services'];

function shown(key: ApiKeyView, { now: clock, replyTokensPerDay }: Services) {
  const { rotation, tokensToday } = key;
  const now = clock();
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    state: keyState(key, now),
    scopes: key.scopes,
    address_ranges: key.addressRanges,
    reply_tokens_per_day: key.replyTokensPerDay,
    reply_tokens: { budget: key.replyTokensPerDay ?? replyTokensPerDay, ...tokensToday },
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    rotated_from_id: key.rotatedFromId,
    rotation: rotation && {
      to_id: rotation.toId,
      at: rotation.at.toISOString(),
      calls_since: rotation.callsSince,
      users_since: rotation.usersSince.map((user) => ({
        address: user.address,
        calls: user.calls,
        last_at: user.lastAt.toISOString(),
      })),
    },
  };
}

const read = async (services: Services, id: number) => shown(await readApiKey(services.db, id), services);

/** The keys of integrations, for those who manage them. */
export const keyRouter = router({
  list: reading
    .output(keysOutput)
    .query(async ({ ctx: { services } }) =>
      (await listApiKeys(services.db)).map((key) => shown(key, services)),
    ),

  operations: reading
    .output(keyOperationsOutput)
    .query(({ ctx: { services } }) => [...services.keyOperations]),

  calls: reading
    .input(keyCallsInput)
    .output(keyCallsOutput)
    .query(async ({ ctx: { services }, input }) => {
      const { id, before, limit, errors_only: errorsOnly } = input;
      const { calls, next } = await listKeyCalls(services.db, id, { before, limit, errorsOnly });
      return {
        calls: calls.map((call) => ({
          id: call.id,
          created_at: call.createdAt.toISOString(),
          request_id: call.requestId,
          method: call.method,
          route: call.route,
          status: call.status,
          duration_ms: call.durationMs,
          error: call.error,
          address: call.address,
        })),
        next,
      };
    }),

  create: empowering
    .input(createKeyInput)
    .output(createdKeyOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { name, scopes, expires_at: expiresAt, address_ranges: addressRanges } = input;
      const { reply_tokens_per_day: replyTokensPerDay } = input;
      requireKnownScopes(services.keyOperations, scopes);
      const key = { name, scopes, expiresAt, addressRanges, replyTokensPerDay };
      const made = await createApiKey(services.db, actor, key);
      return { ...(await read(services, made.id)), key: made.key };
    }),

  update: empowering
    .input(updateKeyInput)
    .output(keyOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { id, name, expires_at: expiresAt, scopes, address_ranges: addressRanges } = input;
      const { reply_tokens_per_day: replyTokensPerDay } = input;
      if (scopes) requireKnownScopes(services.keyOperations, scopes);
      await updateApiKey(services.db, actor, id, {
        name,
        expiresAt,
        scopes,
        addressRanges,
        replyTokensPerDay,
      });
      return read(services, id);
    }),

  revoke: writing
    .input(keyInput)
    .output(keyOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await revokeApiKey(services.db, actor, input.id);
      return read(services, input.id);
    }),

  rotate: empowering
    .input(rotateKeyInput)
    .output(rotatedKeyOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { id, key, old } = await rotateApiKey(services.db, actor, input.id, input.grace_hours);
      const expires_at = old.expiresAt.toISOString();
      return { ...(await read(services, id)), key, old: { id: old.id, expires_at } };
    }),
});
