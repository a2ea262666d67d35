import { ordersRouter } from '../orders/router';
import { router } from './init';

/** Every procedure of the service; REST, native tRPC, the OpenAPI document and the tool list are made from it. */
export const appRouter = router({
  orders: ordersRouter,
});

export type AppRouter = typeof appRouter;
