import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { markShopForDeletion } from './removal-service';
import { deleteShopInput, deleteShopOutput } from './schema';

/** Procedures for all the data of a shop. */
export const shopDataRouter = router({
  /** Marks the shop. A background job then deletes it (runtime/job-list.ts). */
  delete: userProcedure('shops.delete', { requiresConfirmation: true })
    .input(deleteShopInput)
    .output(deleteShopOutput)
    .mutation(async ({ ctx: { services, actor }, input }) => {
      await markShopForDeletion(services.db, actor, input);
      return { deleting: true as const };
    }),
});
