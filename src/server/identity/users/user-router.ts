import { router } from '../../trpc/init';
import { bearerProcedure } from '../../trpc/procedures';
import type { BearerServices } from '../tokens/bearer-service';
import { userResponse } from './schema';

declare module '../../trpc/context' {
  interface Services extends BearerServices {}
}

export const identityRouter = router({
  user: bearerProcedure
    .meta({
      effect: 'reads',
      openapi: {
        method: 'GET',
        path: '/api/user',
        operationId: 'get_api_user',
        summary: 'Get the current user',
        description:
          "The user that the bearer token belongs to, as a bare object. The token is an OAuth 2.0 access token with the scope user:read, a personal access token, or next-auth's own. An X-Api-Key is not accepted here.",
        tags: ['Users'],
        successDescription: 'The user',
      },
    })
    .output(userResponse)
    .query(({ ctx: { bearer } }) => ({
      id: bearer.id,
      name: bearer.name,
      email: bearer.email,
      role: bearer.role,
      locale: bearer.locale,
      created_at: bearer.createdAt.toISOString(),
      updated_at: bearer.updatedAt.toISOString(),
    })),
});
