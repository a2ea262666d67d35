import { router } from '../../trpc/init';
import { personProcedure } from '../../trpc/procedures';
import {
  addNoteInput,
  changedOutput,
  noteInput,
  orderStateOutput,
  orderTrackingInput,
  setStatusInput,
  setTrackingInput,
  setTrackingOutput,
} from '../detail/change-schema';
import { addOrderNote, removeOrderNote, setOrderStatus } from '../detail/change-service';
import { orderDetailOutput, orderInput } from '../detail/schema';
import { readOrder } from '../detail/service';
import {
  removeTrackingNumber,
  restoreTrackingNumber,
  setTrackingNumbers,
} from '../detail/tracking-number-service';
import {
  orderCountInput,
  orderCountOutput,
  orderListInput,
  orderListOutput,
  suggestInput,
  suggestOutput,
} from './schema';
import { countOrders, listOrders } from './service';
import { suggestNamesLike } from './suggest-service';

const reading = personProcedure('orders.read');
const writing = personProcedure('orders.write');

/** Order procedures for the back office; API clients use the operations under /api. */
export const orderAdminRouter = router({
  list: reading
    .input(orderListInput)
    .output(orderListOutput)
    .query(({ ctx: { services }, input }) => listOrders(services.db, input)),

  count: reading
    .input(orderCountInput)
    .output(orderCountOutput)
    .query(({ ctx: { services }, input }) => countOrders(services.db, input.filter)),

  /** Names to search for instead of a text that found nothing. */
  suggest: reading
    .input(suggestInput)
    .output(suggestOutput)
    .query(async ({ ctx: { services }, input }) => ({
      names: await suggestNamesLike(services.db, input.text),
    })),

  one: reading
    .input(orderInput)
    .output(orderDetailOutput)
    .query(({ ctx: { services, person }, input }) => readOrder(services.db, input.id, person.userId)),

  setStatus: writing
    .input(setStatusInput)
    .output(changedOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => ({
      changed: await setOrderStatus(services.db, actor, input),
    })),

  addNote: writing
    .input(addNoteInput)
    .output(changedOutput)
    .mutation(async ({ ctx: { services, actor, person }, input }) => {
      await addOrderNote(services.db, { ...actor, id: person.userId }, input);
      return { changed: 1 };
    }),

  removeNote: writing
    .input(noteInput)
    .output(changedOutput)
    .mutation(async ({ ctx: { services, actor, person }, input }) => {
      await removeOrderNote(services.db, { ...actor, id: person.userId }, input.note_id);
      return { changed: 1 };
    }),

  setTracking: writing
    .input(setTrackingInput)
    .output(setTrackingOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      setTrackingNumbers(services.db, actor, { shopId: input.shop_id, rows: input.rows }),
    ),

  removeTracking: writing
    .input(orderTrackingInput)
    .output(orderStateOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      removeTrackingNumber(services.db, actor, { id: input.id, trackingNumber: input.tracking_number }),
    ),

  restoreTracking: writing
    .input(orderTrackingInput)
    .output(orderStateOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      restoreTrackingNumber(services.db, actor, { id: input.id, trackingNumber: input.tracking_number }),
    ),
});
