import { documentedInput } from '../trpc/documented-input';
import { router } from '../trpc/init';
import { keyProcedure } from '../trpc/procedures';
import { tracksRequest, tracksResponse } from './schema';
import { receiveCallback } from './service';

const TAGS = ['Tracking'];

export const trackingRouter = router({
  callback: keyProcedure
    .meta({
      body: 'bytes',
      openapi: {
        method: 'POST',
        path: '/api/v1/tracks',
        operationId: 'post_api_v1_tracks',
        summary: "Take a carrier's tracking callback",
        description:
          'Stores the body, merges its events, and moves the orders that have the waybill number. Understands the 17TRACK v2 webhook and a plain form; any other object is stored and changes nothing. The same body again, or a late one, is harmless. Where a signing secret is configured, the header `sign` must verify.',
        tags: TAGS,
        successDescription: 'The body is stored; what it changed',
      },
    })
    .input(documentedInput(tracksRequest))
    .output(tracksResponse)
    .mutation(async ({ ctx, input }) => {
      const { services } = ctx;
      const callback = {
        body: ctx.body ?? Buffer.from(JSON.stringify(input)),
        received: ctx.received(),
        sign: ctx.header('sign'),
        apiKeyId: ctx.key.id,
        requestId: ctx.requestId,
      };
      const options = { signingSecret: services.trackingSecret, now: services.now };
      return { success: true, data: await receiveCallback(services.db, callback, options) };
    }),
});
