import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { orderStateOutput } from '../schema';
import { correctTrackingInput, orderTrackingInput, setTrackingInput, setTrackingOutput } from './schema';
import { addTrackingNumbers } from './tracking-number-service';
import {
  correctTrackingNumber,
  removeTrackingNumber,
  restoreTrackingNumber,
} from './tracking-removal-service';

const writeProcedure = userProcedure('orders.write');

/** The tracking numbers of orders. */
export const orderTrackingRouter = router({
  setTracking: writeProcedure
    .input(setTrackingInput)
    .output(setTrackingOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      addTrackingNumbers(services.db, actor, { shopId: input.shop_id, rows: input.rows }),
    ),

  removeTracking: writeProcedure
    .input(orderTrackingInput)
    .output(orderStateOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      removeTrackingNumber(services.db, actor, { id: input.id, trackingNumber: input.tracking_number }),
    ),

  correctTracking: writeProcedure
    .input(correctTrackingInput)
    .output(orderStateOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      correctTrackingNumber(services.db, actor, {
        id: input.id,
        mistypedNumber: input.mistyped,
        trackingNumber: input.tracking_number,
      }),
    ),

  restoreTracking: writeProcedure
    .input(orderTrackingInput)
    .output(orderStateOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      restoreTrackingNumber(services.db, actor, { id: input.id, trackingNumber: input.tracking_number }),
    ),
});
