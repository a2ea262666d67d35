import { documentedInput } from '../../trpc/documented-input';
import { router } from '../../trpc/init';
import { keyProcedure } from '../../trpc/procedures';
import { orderImportRequest, orderImportResponse } from './schema';
import { importOrders } from './service';
import type { ImportResult } from './store-service';

/** Builds the response with the same members in the same order as its schema. */
function responseOf({ newOrders, updatedOrders, itemsInserted }: Omit<ImportResult, 'importId'>) {
  return {
    success: true as const,
    message: '导入完成' as const,
    data: { new_orders: newOrders, updated_orders: updatedOrders, order_items_inserted: itemsInserted },
  };
}

export const orderImportRouter = router({
  import: keyProcedure
    .meta({
      effect: 'replaces',
      body: 'bytes',
      bodyLimit: 'import',
      acceptsIdempotencyKey: true,
      openapi: {
        method: 'POST',
        path: '/api/orders/import',
        operationId: 'post_api_orders_import',
        summary: 'Import orders',
        description:
          'Imports order items in bulk, all or nothing: one bad row rejects the request and nothing changes. Importing the same rows twice creates nothing the second time. A blank cell never erases a stored value. sale_date is read in America/New_York unless it has an offset; in numeric dates the month comes before the day.',
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
        {
          onLocked: ctx.requireCallerAfterWait,
          // Orders and response are stored together, so that a retry with the same idempotency key gets this response.
          beforeCommit: async (client, importResult) => ctx.storeResponse?.(client, responseOf(importResult)),
        },
        ctx.abortSignal(),
      );
      return responseOf(result);
    }),
});
