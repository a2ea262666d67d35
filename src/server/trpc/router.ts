import { catalogRouter } from '../catalog/router';
import { debugRouter } from '../debug/router';
import { accountRouter } from '../identity/account-router';
import { auditRouter } from '../identity/audit-router';
import { keyRouter } from '../identity/key-router';
import { peopleRouter } from '../identity/people-router';
import { identityRouter } from '../identity/router';
import { tokenRouter } from '../identity/token-router';
import { messagesRouter } from '../messages/router';
import { orderAdminRouter } from '../orders/order-admin-router';
import { ordersRouter } from '../orders/router';
import { statisticsRouter } from '../statistics/router';
import { trackingRouter } from '../tracking/router';
import { mergeRouters, router } from './init';

/** Every procedure of the service; REST, native tRPC, the OpenAPI document and the tool list are made from it. */
export const appRouter = router({
  account: accountRouter,
  audit: auditRouter,
  catalog: catalogRouter,
  debug: debugRouter,
  identity: identityRouter,
  keys: keyRouter,
  messages: messagesRouter,
  orders: mergeRouters(ordersRouter, orderAdminRouter),
  people: peopleRouter,
  statistics: statisticsRouter,
  tokens: tokenRouter,
  tracking: trackingRouter,
});

export type AppRouter = typeof appRouter;
