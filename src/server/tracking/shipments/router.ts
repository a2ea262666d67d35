import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { describeTracking } from '../query-service';
import { setShipmentStatus, undoCorrection } from './correction-service';
import { listShipments } from './list-service';
import { queryShipments } from './query-shipments-service';
import {
  askCarrierInput,
  askCarrierOutput,
  correctionOutput,
  orderTextInput,
  orderTextOutput,
  setShipmentStatusInput,
  shipmentCarriersOutput,
  shipmentCountsInput,
  shipmentCountsOutput,
  shipmentInput,
  shipmentListInput,
  shipmentListOutput,
  shipmentOutput,
  undoCorrectionInput,
} from './schema';
import { countShipments, listCarriers, readShipment } from './service';

const readProcedure = userProcedure('tracking.read');
const listProcedure = userProcedure('tracking.read', { fromReplica: true });

/** Shipments and their tracking statuses. */
export const shipmentRouter = router({
  counts: listProcedure
    .input(shipmentCountsInput)
    .output(shipmentCountsOutput)
    .query(({ ctx: { services }, input }) => countShipments(services.db, input.shops)),

  carriers: listProcedure
    .output(shipmentCarriersOutput)
    .query(({ ctx: { services } }) => listCarriers(services.db)),

  list: listProcedure
    .input(shipmentListInput)
    .output(shipmentListOutput)
    .query(({ ctx: { services }, input }) => listShipments(services.db, input)),

  one: readProcedure
    .input(shipmentInput)
    .output(shipmentOutput)
    .query(({ ctx: { services }, input }) => readShipment(services.db, input.tracking_number)),

  text: readProcedure
    .input(orderTextInput)
    .output(orderTextOutput)
    .query(async ({ ctx: { services }, input }) => {
      const query = { orderId: input.order_id, trackingNumber: undefined };
      const { text } = await describeTracking(services.db, query, services.now());
      return { text };
    }),

  askCarrier: userProcedure('tracking.write')
    .input(askCarrierInput)
    .output(askCarrierOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      queryShipments(services.db, services.carrier, actor, input.tracking_numbers),
    ),

  setStatus: userProcedure('tracking.write')
    .input(setShipmentStatusInput)
    .output(correctionOutput)
    .mutation(({ ctx: { services, actor }, input }) => {
      const correction = {
        trackingNumber: input.tracking_number,
        status: input.status,
        note: input.note || null,
        shown: input.shown,
      };
      return setShipmentStatus(services.db, actor, correction, services.now());
    }),

  undoCorrection: userProcedure('tracking.write')
    .input(undoCorrectionInput)
    .output(correctionOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      undoCorrection(services.db, actor, { trackingNumber: input.tracking_number, eventId: input.event_id }),
    ),
});
