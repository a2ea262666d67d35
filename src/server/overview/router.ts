import { doneOutput } from '../core/fields';
import { router } from '../trpc/init';
import { personProcedure } from '../trpc/procedures';
import { readDeliveries } from './deliveries-service';
import { deliveriesOutput, overviewInput, overviewOutput } from './schema';
import { dismissFirstSteps, readOverview } from './service';

/** What happened and what needs attention, at a glance. */
export const overviewRouter = router({
  read: personProcedure('orders.read', { fromReplica: true })
    .input(overviewInput)
    .output(overviewOutput)
    .query(({ ctx: { services, person }, input }) =>
      readOverview(services.db, input, {
        userId: person.userId,
        hasCarrier: services.carrier.name !== null,
        now: services.now(),
      }),
    ),

  /** Where the orders go to, and how long deliveries take. */
  deliveries: personProcedure('orders.read', { fromReplica: true })
    .input(overviewInput)
    .output(deliveriesOutput)
    .query(({ ctx: { services }, input }) => readDeliveries(services.db, input, services.now())),

  dismissFirstSteps: personProcedure('self.manage')
    .output(doneOutput)
    .mutation(async ({ ctx: { services, person } }) => {
      await dismissFirstSteps(services.db, person.userId);
      return { done: true as const };
    }),
});
