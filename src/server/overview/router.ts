import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { overviewInput, overviewOutput } from './schema';
import { readOverview } from './service';

/** What happened and what needs attention, at a glance. */
export const overviewRouter = router({
  read: personProcedure('orders.read')
    .input(overviewInput)
    .output(overviewOutput)
    .query(({ ctx: { services }, input }) => readOverview(services.db, input, services.now())),
});
