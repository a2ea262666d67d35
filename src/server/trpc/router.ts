import { productRouter } from '../catalog/product-router';
import { catalogRouter } from '../catalog/router';
import { recordRouter } from '../debug/record-router';
import { debugRouter } from '../debug/router';
import { accountRouter } from '../identity/account-router';
import { auditRouter } from '../identity/audit-router';
import { clientRouter } from '../identity/client-router';
import { keyRouter } from '../identity/key-router';
import { peopleRouter } from '../identity/people-router';
import { identityRouter } from '../identity/router';
import { savedViewRouter } from '../identity/saved-view-router';
import { tokenRouter } from '../identity/token-router';
import { promptRouter } from '../messages/prompt-admin-router';
import { replyRouter } from '../messages/reply-router';
import { messagesRouter } from '../messages/router';
import { countryRouter } from '../orders/country-router';
import { importPageRouter } from '../orders/import-page-router';
import { orderAdminRouter } from '../orders/order-admin-router';
import { ordersRouter } from '../orders/router';
import { shopRouter } from '../orders/shop-router';
import { overviewRouter } from '../overview/router';
import { settingsRouter } from '../settings/router';
import { dayRouter } from '../statistics/day-router';
import { statisticsRouter } from '../statistics/router';
import { ledgerRouter } from '../tracking/ledger-router';
import { parcelRouter } from '../tracking/parcel-router';
import { trackingRouter } from '../tracking/router';
import { mergeRouters, router } from './init';

/** Every procedure of the service; REST, native tRPC, the OpenAPI document and the tool list are made from it. */
export const appRouter = router({
  account: accountRouter,
  audit: auditRouter,
  catalog: mergeRouters(catalogRouter, productRouter),
  clients: clientRouter,
  countries: countryRouter,
  debug: debugRouter,
  identity: identityRouter,
  imports: importPageRouter,
  keys: keyRouter,
  ledger: ledgerRouter,
  messages: messagesRouter,
  orders: mergeRouters(ordersRouter, orderAdminRouter),
  overview: overviewRouter,
  parcels: parcelRouter,
  people: peopleRouter,
  prompts: promptRouter,
  records: recordRouter,
  replies: replyRouter,
  settings: settingsRouter,
  shops: shopRouter,
  statistics: mergeRouters(statisticsRouter, dayRouter),
  tokens: tokenRouter,
  tracking: trackingRouter,
  views: savedViewRouter,
});

export type AppRouter = typeof appRouter;
