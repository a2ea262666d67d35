import { auditRouter } from '../audit/router';
import { productRouter } from '../catalog/product-router';
import { catalogRouter } from '../catalog/router';
import { countryRouter } from '../countries/router';
import { recordRouter } from '../debug-records/router';
import { debugRouter } from '../debug-records/store-router';
import { keyRouter } from '../identity/keys/router';
import { clientRouter } from '../identity/oauth/client-router';
import { tokenRouter } from '../identity/tokens/router';
import { accountRouter } from '../identity/users/account-router';
import { peopleRouter } from '../identity/users/people-router';
import { identityRouter } from '../identity/users/user-router';
import { replyDraftRouter } from '../messages/drafts/router';
import { promptRouter } from '../messages/prompts/router';
import { replyRouter } from '../messages/replies/router';
import { messagesRouter } from '../messages/router';
import { notificationRouter } from '../notifications/router';
import { orderDetailRouter } from '../orders/detail/router';
import { draftRouter } from '../orders/drafts/router';
import { exportRouter } from '../orders/export/router';
import { historyRouter } from '../orders/history/router';
import { orderImportRouter } from '../orders/import/router';
import { orderListRouter } from '../orders/list/router';
import { shippingRouter } from '../orders/shipping/router';
import { trackingPasteRouter } from '../orders/tracking/paste/router';
import { orderTrackingRouter } from '../orders/tracking/router';
import { undoRouter } from '../orders/undo/router';
import { overviewRouter } from '../overview/router';
import { queueRouter } from '../queues/router';
import { settingsRouter } from '../settings/router';
import { shopDataRouter } from '../shop-data/router';
import { shopRouter } from '../shops/router';
import { dayRouter } from '../statistics/day-router';
import { statisticsRouter } from '../statistics/router';
import { callbackRouter } from '../tracking/callbacks/router';
import { trackingRouter } from '../tracking/router';
import { shipmentRouter } from '../tracking/shipments/router';
import { mergeRouters, router } from '../trpc/init';
import { savedViewRouter } from '../views/router';

/** Every procedure of the service. REST, native tRPC, the OpenAPI document and the tool list are generated from it. */
export const appRouter = router({
  account: accountRouter,
  audit: auditRouter,
  catalog: mergeRouters(catalogRouter, productRouter),
  clients: clientRouter,
  countries: countryRouter,
  debug: debugRouter,
  exports: exportRouter,
  identity: identityRouter,
  imports: mergeRouters(draftRouter, historyRouter, undoRouter),
  keys: keyRouter,
  callbacks: callbackRouter,
  messages: messagesRouter,
  notifications: notificationRouter,
  orders: mergeRouters(orderImportRouter, orderListRouter, orderDetailRouter, orderTrackingRouter),
  overview: overviewRouter,
  shipments: shipmentRouter,
  people: peopleRouter,
  prompts: promptRouter,
  queues: queueRouter,
  records: recordRouter,
  replies: replyRouter,
  replyDrafts: replyDraftRouter,
  settings: settingsRouter,
  shipping: shippingRouter,
  shops: shopRouter,
  shopData: shopDataRouter,
  statistics: mergeRouters(statisticsRouter, dayRouter),
  tokens: tokenRouter,
  tracking: trackingRouter,
  trackingPaste: trackingPasteRouter,
  views: savedViewRouter,
});

export type AppRouter = typeof appRouter;
