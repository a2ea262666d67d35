import { catalogRouter } from '../catalog/router';
import { debugRouter } from '../debug/router';
import { accountRouter } from '../identity/account-router';
import { auditRouter } from '../identity/audit-router';
import { peopleRouter } from '../identity/people-router';
import { identityRouter } from '../identity/router';
import { tokenRouter } from '../identity/token-router';
import { messagesRouter } from '../messages/router';
import { ordersRouter } from '../orders/router';
import { statisticsRouter } from '../statistics/router';
import { trackingRouter } from '../tracking/router';
import { router } from './init';

/** Every procedure of the service; REST, native tRPC, the OpenAPI document and the tool list are made from it. */
export const appRouter = router({
  account: accountRouter,
  audit: auditRouter,
  catalog: catalogRouter,
  debug: debugRouter,
  identity: identityRouter,
  messages: messagesRouter,
  orders: ordersRouter,
  people: peopleRouter,
  statistics: statisticsRouter,
  tokens: tokenRouter,
  tracking: trackingRouter,
});

export type AppRouter = typeof appRouter;
