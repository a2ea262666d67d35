import { router } from '../../trpc/init';
import { personProcedure } from '../../trpc/procedures';
import { describeTracking } from '../query-service';
import { askAboutParcels } from './ask-one-service';
import { setParcelStatus, takeBackStatus } from './correction-service';
import {
  askCarrierInput,
  askCarrierOutput,
  correctedOutput,
  orderTextInput,
  orderTextOutput,
  parcelCarriersOutput,
  parcelCountsInput,
  parcelCountsOutput,
  parcelInput,
  parcelListInput,
  parcelListOutput,
  parcelOutput,
  setParcelStatusInput,
  takeBackStatusInput,
} from './schema';
import { countParcels, listCarriers, listParcels, readParcel } from './service';

const reading = personProcedure('tracking.read');

/** Shipments by status. */
export const parcelRouter = router({
  counts: reading
    .input(parcelCountsInput)
    .output(parcelCountsOutput)
    .query(({ ctx: { services }, input }) => countParcels(services.db, input.shops)),

  carriers: reading.output(parcelCarriersOutput).query(({ ctx: { services } }) => listCarriers(services.db)),

  list: reading
    .input(parcelListInput)
    .output(parcelListOutput)
    .query(({ ctx: { services }, input }) => listParcels(services.db, input)),

  one: reading
    .input(parcelInput)
    .output(parcelOutput)
    .query(({ ctx: { services }, input }) => readParcel(services.db, input.tracking_number)),

  text: reading
    .input(orderTextInput)
    .output(orderTextOutput)
    .query(async ({ ctx: { services }, input }) => {
      const asked = { orderId: input.order_id, trackingNumber: undefined };
      const { text } = await describeTracking(services.db, asked, services.now());
      return { text };
    }),

  askCarrier: personProcedure('tracking.write')
    .input(askCarrierInput)
    .output(askCarrierOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      askAboutParcels(services.db, services.carrier, actor, input.tracking_numbers),
    ),

  setStatus: personProcedure('tracking.write')
    .input(setParcelStatusInput)
    .output(correctedOutput)
    .mutation(({ ctx: { services, actor }, input }) => {
      const correction = {
        trackingNumber: input.tracking_number,
        status: input.status,
        note: input.note || null,
      };
      return setParcelStatus(services.db, actor, correction, services.now());
    }),

  takeBackStatus: personProcedure('tracking.write')
    .input(takeBackStatusInput)
    .output(correctedOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      takeBackStatus(services.db, actor, { trackingNumber: input.tracking_number, eventId: input.event_id }),
    ),
});
