import { documentedInput } from '../../trpc/documented-input';
import { router } from '../../trpc/init';
import { keyProcedure } from '../../trpc/procedures';
import { orderImportRequest, orderImportResponse } from './schema';
import { importOrders } from './service';

export const ordersRouter = router({
  import: keyProcedure
    .meta({
      body: 'bytes',
      bodyLimit: 'import',
      idempotent: true,
      openapi: {
        method: 'POST',
        path: '/api/orders/import',
        operationId: 'post_api_orders_import',
        summary: 'Import orders',
        description:
          'Imports order items in bulk, all or nothing: one bad row rejects the request and nothing changes. Importing the same rows twice creates nothing the second time. A blank cell never erases a stored value. sale_date is month/day/year, read in America/New_York.',
        tags: ['Orders'],
        successDescription: 'All rows are stored',
      },
    })
    .input(documentedInput(orderImportRequest))
    .output(orderImportResponse)
    .mutation(async ({ ctx, input }) => {
      const result = await importOrders(
        ctx.services,
        { source: 'api', actor: ctx.key.name, apiKeyId: ctx.key.id, requestId: ctx.requestId },
        ctx.body ? { body: ctx.body } : { members: input },
        {},
        ctx.gone(),
      );
      return {
        success: true,
        message: '导入完成',
        data: {
          new_orders: result.newOrders,
          updated_orders: result.updatedOrders,
          order_items_inserted: result.itemsInserted,
        },
      };
    }),
});
