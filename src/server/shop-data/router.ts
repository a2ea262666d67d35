import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { markShopForDeletion } from './removal-service';
import { deleteShopInput, deleteShopOutput } from './schema';

/** Deletes a shop with all its data. */
export const shopDataRouter = router({
  /** Marks the shop, which may wait for imports of the shop. A background job then deletes it (runtime/job-list.ts). */
  delete: userProcedure('shops.delete', { requiresConfirmation: true })
    .input(deleteShopInput)
    .output(deleteShopOutput)
    .mutation(async ({ ctx: { services, actor, requireCallerAfterWait }, input }) => {
      await markShopForDeletion(services.db, actor, input, requireCallerAfterWait);
      return { deleting: true as const };
    }),
});
