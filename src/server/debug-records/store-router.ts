import { parseJsonObject } from '../core/text/json-object';
import { storeInboundRequest, toPublicId } from '../inbound/service';
import { documentedInput } from '../trpc/documented-input';
import { router } from '../trpc/init';
import { keyProcedure } from '../trpc/procedures';
import { debugRequest, debugResponse } from './store-schema';

const DESCRIPTION =
  'A debugging aid that stores method, query, body and headers (without credentials) as they arrive. Records are deleted after the configured number of days.';

/** Declares an operation that stores the request, with credentials masked. A POST body must be a JSON object. */
const createStoreProcedure = (method: 'GET' | 'POST') =>
  keyProcedure
    .meta({
      effect: 'appends',
      body: 'bytes',
      openapi: {
        method,
        path: '/api/v1/marketplace',
        operationId: method === 'GET' ? 'get_api_v1_marketplace' : 'post_api_v1_marketplace',
        summary: 'Store a request for debugging',
        description: DESCRIPTION,
        tags: ['Debugging'],
        successDescription: 'The id of the stored record',
      },
    })
    .input(documentedInput(debugRequest))
    .output(debugResponse);

export const debugRouter = router({
  storeGet: createStoreProcedure('GET').query(async ({ ctx }) => ({
    success: true,
    data: { record_id: toPublicId(await storeRequest(ctx, ctx.body ?? new Uint8Array())) },
  })),

  storePost: createStoreProcedure('POST').mutation(async ({ ctx, input }) => {
    const body = ctx.body ?? Buffer.from(JSON.stringify(input));
    parseJsonObject(body);
    return { success: true, data: { record_id: toPublicId(await storeRequest(ctx, body)) } };
  }),
});

async function storeRequest(ctx: StoreContext, body: Uint8Array): Promise<string> {
  const { services, key, requestId } = ctx;
  const { id } = await storeInboundRequest(services.db, {
    kind: 'marketplace',
    receivedRequest: ctx.receivedRequest(),
    body,
    apiKeyId: key.id,
    requestId,
  });
  return id;
}

type StoreContext = Parameters<Parameters<ReturnType<typeof createStoreProcedure>['query']>[0]>[0]['ctx'];
