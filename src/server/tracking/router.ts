import { documentedInput } from '../trpc/documented-input';
import { router } from '../trpc/init';
import { keyProcedure } from '../trpc/procedures';
import { receiveCallback } from './callbacks/service';
import type { CarrierGate } from './carriers/carrier-gate';
import { describeTracking, queryCarrier } from './query-service';
import {
  logisticsQuery,
  logisticsResponse,
  trackingTextQuery,
  trackingTextResponse,
  tracksRequest,
  tracksResponse,
} from './schema';

declare module '../trpc/context' {
  interface Services {
    /** The configured carrier's client, behind its gate. */
    carrier: CarrierGate;
    /** If set, callbacks must be signed with this secret. */
    trackingSecret: string | undefined;
  }
}

const TAGS = ['Tracking'];

export const trackingRouter = router({
  callback: keyProcedure
    .meta({
      effect: 'merges',
      body: 'bytes',
      openapi: {
        method: 'POST',
        path: '/api/v1/tracks',
        operationId: 'post_api_v1_tracks',
        summary: "Receive a carrier's tracking callback",
        description:
          'Stores the body, merges its events, and moves the orders that have the tracking number. Understands the 17TRACK v2 webhook and a plain form; any other object is stored and changes nothing. Sending the same body again, or late, is harmless. If a signing secret is configured, the `sign` header must hold a valid signature. While an import uses the tracking numbers, the response may be 503: the body is stored, and processed later.',
        tags: TAGS,
        successDescription: 'The body is stored; the response says what it changed',
      },
    })
    .input(documentedInput(tracksRequest))
    .output(tracksResponse)
    .mutation(async ({ ctx, input }) => {
      const { services } = ctx;
      const callback = {
        body: ctx.body ?? Buffer.from(JSON.stringify(input)),
        receivedRequest: ctx.receivedRequest(),
        sign: ctx.header('sign'),
        apiKeyId: ctx.key.id,
        requestId: ctx.requestId,
      };
      const options = { signingSecret: services.trackingSecret };
      return { success: true, data: await receiveCallback(services.db, callback, options) };
    }),

  text: keyProcedure
    .meta({
      effect: 'reads',
      offersPlainText: true,
      returnsNotFound: true,
      openapi: {
        method: 'GET',
        path: '/api/v1/tracking-text',
        operationId: 'get_api_v1_tracking_text',
        summary: 'Describe where an order is, in English',
        description:
          'Returns a text that a seller can paste into a message to a buyer. It is in English, whatever language the carrier uses, and its times are New York time. Send order_id, tracking_number, or both, if they belong together. With format=text the response is that text as text/plain.',
        tags: TAGS,
        successDescription: 'The text, with what it was written from',
      },
    })
    .input(trackingTextQuery)
    .output(trackingTextResponse)
    .query(async ({ ctx, input }) => {
      const query = { orderId: input.order_id, trackingNumber: input.tracking_number };
      return { success: true, data: await describeTracking(ctx.services.db, query, ctx.services.now()) };
    }),

  logistics: keyProcedure
    .meta({
      effect: 'merges',
      callsUpstream: true,
      openapi: {
        method: 'GET',
        path: '/api/logistics',
        operationId: 'get_api_logistics',
        summary: 'Query the carrier about a shipment',
        description:
          "Queries the configured carrier's API, merges its response into the stored events, and returns what is known then. A number that carriers do not accept (anything but 4 to 50 of A-Z, 0-9 and -, apart from case and spaces) is not sent to the carrier; the response has what is stored about it, or not_found. The list is empty without a parameter, for an order that is unknown or has no shipment, or if the two parameters do not belong together. While an import uses the tracking numbers, the response may be 503.",
        tags: TAGS,
        successDescription: 'A list of shipments',
      },
    })
    .input(logisticsQuery)
    .output(logisticsResponse)
    .query(async ({ ctx, input }) => {
      const query = { trackingNumber: input.tracking_number, orderNumber: input.order_number };
      return { success: true, data: await queryCarrier(ctx.services.db, ctx.services.carrier, query) };
    }),
});
