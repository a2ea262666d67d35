import { router } from '../../trpc/init';
import { userProcedure } from '../../trpc/procedures';
import { packingSlipsOutput, pickListOutput, printInput } from './schema';
import { readPackingSlips, readPickList } from './service';

const readProcedure = userProcedure('orders.read');

/** The data for the documents that users print to ship orders: pick lists and packing slips. */
export const shippingRouter = router({
  pickList: readProcedure
    .input(printInput)
    .output(pickListOutput)
    .query(({ ctx: { services }, input }) => readPickList(services.db, input.filter)),

  packingSlips: readProcedure
    .input(printInput)
    .output(packingSlipsOutput)
    .query(({ ctx: { services }, input }) => readPackingSlips(services.db, input.filter)),
});
