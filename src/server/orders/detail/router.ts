import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import {
  addNoteInput,
  addNotesInput,
  addNotesOutput,
  changedCountOutput,
  noteInput,
  setStatusInput,
} from './change-schema';
import { addOrderNote, addOrderNotes, removeOrderNote, setOrderStatus } from './change-service';
import { orderDetailOutput, orderInput } from './schema';
import { readOrder } from './service';

const writeProcedure = userProcedure('orders.write');

/** Reads one order, sets the status of orders, and adds and removes their notes. */
export const orderDetailRouter = router({
  one: userProcedure('orders.read')
    .input(orderInput)
    .output(orderDetailOutput)
    .query(({ ctx: { services, user }, input }) => readOrder(services.db, input.id, user.userId)),

  setStatus: writeProcedure
    .input(setStatusInput)
    .output(changedCountOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => ({
      changed: await setOrderStatus(services.db, actor, input),
    })),

  addNote: writeProcedure
    .input(addNoteInput)
    .output(changedCountOutput)
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
    .output(changedCountOutput)
    .mutation(async ({ ctx: { services, actor, user }, input }) => {
      await removeOrderNote(services.db, { ...actor, id: user.userId }, input.note_id);
      return { changed: 1 };
    }),
});
