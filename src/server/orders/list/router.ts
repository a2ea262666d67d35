import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import {
  addNoteInput,
  addNotesInput,
  addNotesOutput,
  changedOutput,
  correctTrackingInput,
  noteInput,
  orderStateOutput,
  orderTrackingInput,
  setStatusInput,
  setTrackingInput,
  setTrackingOutput,
} from '../detail/change-schema';
import { addOrderNote, addOrderNotes, removeOrderNote, setOrderStatus } from '../detail/change-service';
import { orderDetailOutput, orderInput } from '../detail/schema';
import { readOrder } from '../detail/service';
import {
  correctTrackingNumber,
  removeTrackingNumber,
  restoreTrackingNumber,
  setTrackingNumbers,
} from '../tracking/tracking-number-service';
import { countOrders, countTabs } from './count-service';
import {
  orderCountInput,
  orderCountOutput,
  orderListInput,
  orderListOutput,
  orderTabsOutput,
  suggestInput,
  suggestOutput,
} from './schema';
import { listOrders } from './service';
import { suggestNamesLike } from './suggest-service';

const readProcedure = userProcedure('orders.read');
const listProcedure = userProcedure('orders.read', { fromReplica: true });
const writeProcedure = userProcedure('orders.write');

/** Order procedures for the back office; API clients use the operations under /api. */
export const orderAdminRouter = router({
  list: listProcedure
    .input(orderListInput)
    .output(orderListOutput)
    .query(({ ctx: { services }, input }) => listOrders(services.db, input)),

  count: listProcedure
    .input(orderCountInput)
    .output(orderCountOutput)
    .query(({ ctx: { services }, input }) => countOrders(services.db, input.filter)),

  /** The tabs of the list with their counts. */
  tabs: listProcedure.output(orderTabsOutput).query(({ ctx: { services } }) => countTabs(services.db)),

  /** Suggests names to search for when a search finds nothing. */
  suggest: listProcedure
    .input(suggestInput)
    .output(suggestOutput)
    .query(async ({ ctx: { services }, input }) => ({
      names: await suggestNamesLike(services.db, input.text),
    })),

  one: readProcedure
    .input(orderInput)
    .output(orderDetailOutput)
    .query(({ ctx: { services, user }, input }) => readOrder(services.db, input.id, user.userId)),

  setStatus: writeProcedure
    .input(setStatusInput)
    .output(changedOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => ({
      changed: await setOrderStatus(services.db, actor, input),
    })),

  addNote: writeProcedure
    .input(addNoteInput)
    .output(changedOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) => {
      await addOrderNote(services.db, { ...actor, id: user.userId }, input);
      return { changed: 1 };
    }),

  addNotes: writeProcedure
    .input(addNotesInput)
    .output(addNotesOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) => ({
      noted: await addOrderNotes(services.db, { ...actor, id: user.userId }, input),
    })),

  removeNote: writeProcedure
    .input(noteInput)
    .output(changedOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) => {
      await removeOrderNote(services.db, { ...actor, id: user.userId }, input.note_id);
      return { changed: 1 };
    }),

  setTracking: writeProcedure
    .input(setTrackingInput)
    .output(setTrackingOutput)
    .mutation(({ ctx: { services, actor }, input }) =>
      setTrackingNumbers(services.db, actor, { shopId: input.shop_id, rows: input.rows }),
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
        mistyped: input.mistyped,
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
