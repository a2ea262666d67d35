import { doneOutput } from '../../core/fields';
import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import {
  clientInput,
  clientsOutput,
  createClientInput,
  createdClientOutput,
  renameClientInput,
  revokedClientOutput,
  rotatedSigningKeyOutput,
} from './client-schema';
import { createOAuthClient, listOAuthClients, renameOAuthClient, revokeOAuthClient } from './client-service';
import { rotateSigningKey } from './signing-key-service';

const readProcedure = userProcedure('clients.read');
const writeProcedure = userProcedure('clients.write');
const confirmedWriteProcedure = userProcedure('clients.write', { requiresConfirmation: true });

/** OAuth clients, the applications that people sign in to with Brickdesk, for the users who manage them. */
export const clientRouter = router({
  list: readProcedure.output(clientsOutput).query(async ({ ctx: { services } }) => {
    const clients = await listOAuthClients(services.db);
    return clients.map((client) => ({
      client_id: client.id,
      name: client.name,
      redirect_uris: client.redirectUris,
      public: client.public,
      state: client.revokedAt ? ('revoked' as const) : ('active' as const),
      created_by: client.createdBy,
      created_at: client.createdAt.toISOString(),
      revoked_at: client.revokedAt?.toISOString() ?? null,
    }));
  }),

  create: confirmedWriteProcedure
    .input(createClientInput)
    .output(createdClientOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { id, secret } = await createOAuthClient(services.db, actor, input);
      return { client_id: id, client_secret: secret };
    }),

  rename: writeProcedure
    .input(renameClientInput)
    .output(doneOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await renameOAuthClient(services.db, actor, {
        id: input.client_id,
        name: input.name,
        shown: input.shown,
      });
      return { done: true as const };
    }),

  revoke: writeProcedure
    .input(clientInput)
    .output(revokedClientOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      const { id, revokedAt } = await revokeOAuthClient(services.db, actor, input.client_id);
      return { client_id: id, revoked_at: revokedAt.toISOString() };
    }),

  rotateSigningKey: confirmedWriteProcedure
    .output(rotatedSigningKeyOutput)
    .mutation(async ({ ctx: { services, actor } }) => {
      const { id, retiredIds, publishedUntil } = await rotateSigningKey(services, actor);
      return { id, retired: retiredIds, published_until: publishedUntil.toISOString() };
    }),
});
