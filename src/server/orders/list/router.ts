import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
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

const listProcedure = userProcedure('orders.read', { fromReplica: true });

/** The orders list. */
export const orderListRouter = router({
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
});
