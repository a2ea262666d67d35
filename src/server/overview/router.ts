import { doneOutput } from '../core/fields';
import { router } from '../trpc/init';
import { userProcedure } from '../trpc/procedures';
import { readDeliveries } from './deliveries-service';
import { deliveriesOutput, overviewInput, overviewOutput } from './schema';
import { dismissFirstSteps, readOverview } from './service';

/** What happened and what needs attention, at a glance. */
export const overviewRouter = router({
  read: userProcedure('orders.read', { fromReplica: true })
    .input(overviewInput)
    .output(overviewOutput)
    .query(({ ctx: { services, user }, input }) =>
      readOverview(services.db, input, {
        userId: user.userId,
        timeZone: user.timeZone,
        hasCarrier: services.carrier.name !== null,
        now: services.now(),
      }),
    ),

  /** Which countries orders go to, and how long deliveries take. */
  deliveries: userProcedure('orders.read', { fromReplica: true })
    .input(overviewInput)
    .output(deliveriesOutput)
    .query(({ ctx: { services }, input }) => readDeliveries(services.db, input, services.now())),

  dismissFirstSteps: userProcedure('self.manage')
    .output(doneOutput)
    .mutation(async ({ ctx: { services, user } }) => {
      await dismissFirstSteps(services.db, user.userId);
      return { done: true as const };
    }),
});
