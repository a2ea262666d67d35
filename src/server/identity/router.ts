import { ServiceError } from '../core/errors';
import { router } from '../trpc/init';
import { bearerProcedure } from '../trpc/procedures';
import { userResponse } from './user-schema';

export const identityRouter = router({
  user: bearerProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/api/user',
        operationId: 'get_api_user',
        summary: 'Get the current user',
        description:
          'The person whom the OAuth 2.0 bearer token stands for, as a bare object. An X-Api-Key is no credential here. This release issues no bearer tokens yet: every request is answered 401.',
        tags: ['People'],
        successDescription: 'The person',
      },
    })
    .output(userResponse)
    .query(() => {
      throw new ServiceError('unauthorized', 'A valid bearer token is required.');
    }),
});
