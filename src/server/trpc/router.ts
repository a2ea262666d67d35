import { catalogRouter } from '../catalog/router';
import { debugRouter } from '../debug/router';
import { identityRouter } from '../identity/router';
import { messagesRouter } from '../messages/router';
import { ordersRouter } from '../orders/router';
import { statisticsRouter } from '../statistics/router';
import { trackingRouter } from '../tracking/router';
import { router } from './init';

/** Every procedure of the service; REST, native tRPC, the OpenAPI document and the tool list are made from it. */
export const appRouter = router({
  catalog: catalogRouter,
  debug: debugRouter,
  identity: identityRouter,
  messages: messagesRouter,
  orders: ordersRouter,
  statistics: statisticsRouter,
  tracking: trackingRouter,
});

export type AppRouter = typeof appRouter;
