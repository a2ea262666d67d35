import { createHash } from 'node:crypto';
import { type Actor, writeAuditEntry } from '../../src/server/audit/service';
import { importProducts } from '../../src/server/catalog/import-service';
import type { Database } from '../../src/server/db/client';
import { setPrompt } from '../../src/server/messages/prompts/service';
import { replyToBuyer } from '../../src/server/messages/service';
import { importOrders } from '../../src/server/orders/import/service';
import { createShop, listApiShops } from '../../src/server/shops/account-service';
import { upsertListingStatistic, upsertShopStatistic } from '../../src/server/statistics/service';
import { receiveCallback } from '../../src/server/tracking/callbacks/service';
import type { Services } from '../../src/server/trpc/context';
import { createDemoConversations, createDemoPrompts } from './conversations';
import { createDemoOrders, type DemoOrder } from './orders';
import { createDemoRelayCallbacks } from './relay-callbacks';
import { createDemoShops, type DemoShop, PRODUCTS } from './shops';
import { createListingStatistics, createShopStatistics } from './statistics';

const ACTOR: Actor = { kind: 'system', name: 'demo' };
/** How many connections of the pool are used at the same time, at most. */
const CONCURRENCY = 6;
const REPLY_ID_PREFIX = 'demo-reply-';
const CALLBACK_ID_PREFIX = 'demo-callback-';
const RELAY_ID_PREFIX = 'demo-relay-';

/** The contents of the demo, which depend only on the instant at which seeding began. */
export interface Demo {
  shops: DemoShop[];
  orders: DemoOrder[];
  /** When seeding began, in milliseconds since the Unix epoch. */
  beganAt: number;
}

/** The markers for the start and end of seeding, stored in the audit log because it cannot be changed afterwards. */
type Marker = 'demo.begin' | 'demo.end';

/** Returns when the seeding that wrote this marker began; null if none has written it. */
async function readMarker(db: Database, action: Marker): Promise<number | null> {
  const entry = await db.prisma.auditEntry.findFirst({ where: { action }, orderBy: { id: 'asc' } });
  return entry === null ? null : Number(entry.recordId);
}

function writeMarker(db: Database, action: Marker, beganAt: number): Promise<void> {
  return writeAuditEntry(db.prisma, ACTOR, { action, recordType: 'demo', recordId: beganAt });
}

async function runInParallel<T>(list: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const remainingItems = list.values();
  const worker = async () => {
    for (const item of remainingItems) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function seedOrders(services: Services, { shops, orders }: Demo, apiKeyId: number): Promise<void> {
  const { db } = services;
  const shopIdByName = new Map((await listApiShops(db)).map(({ name, id }) => [name, id]));
  for (const { name, marketplaceShopId, currency } of shops) {
    const shopId =
      shopIdByName.get(name) ??
      (await createShop(db, ACTOR, { name, shopId: marketplaceShopId, currency })).id;
    const shopOrders = orders.filter(({ shop }) => shop.name === name);
    const members = { account_id: shopId, rows: shopOrders.flatMap(({ rows }) => rows) };
    const contentHash = createHash('sha256').update(JSON.stringify(members)).digest('hex');
    const origin = {
      source: 'api',
      actor: ACTOR.name,
      apiKeyId,
      requestId: `demo-import-${marketplaceShopId}`,
    } as const;
    await importOrders(services, origin, { members, contentHash });
  }
  // An import does not cancel orders, but the demo should have cancelled ones.
  const cancelledReceiptIds = orders
    .filter(({ story }) => story.state === 'cancelled')
    .map(({ receiptId }) => receiptId);
  await db.pool.query(
    `UPDATE orders SET status = 'cancelled' WHERE receipt_id = ANY($1) AND shop_id IN (
       SELECT id FROM shops WHERE name = ANY($2))`,
    [cancelledReceiptIds, shops.map(({ name }) => name)],
  );
}

/** Sends the carrier's callbacks, in 17TRACK's form, except those that have already been processed. */
async function seedTracking({ db }: Services, { orders }: Demo, apiKeyId: number): Promise<void> {
  const { rows } = await db.pool.query<{ request_id: string }>(
    'SELECT request_id FROM inbound_records WHERE starts_with(request_id, $1) AND processed_at IS NOT NULL',
    [CALLBACK_ID_PREFIX],
  );
  const processedIds = new Set(rows.map((row) => row.request_id));
  const shipments = orders
    .flatMap((order) => order.shipments)
    .filter(({ number }) => !processedIds.has(CALLBACK_ID_PREFIX + number));
  await runInParallel(shipments, ({ number, report, reportedAt }) => {
    const data = { number, carrier: 21051, param: null, tag: '', track_info: report };
    const body = Buffer.from(JSON.stringify({ event: 'TRACKING_UPDATED', data }));
    const headers = { 'content-type': 'application/json', 'user-agent': '17TRACK' };
    const callback = { body, receivedRequest: { method: 'POST', query: [], headers }, sign: null };
    return receiveCallback(
      db,
      { ...callback, apiKeyId, requestId: CALLBACK_ID_PREFIX + number },
      { signingSecret: undefined, now: () => reportedAt },
    );
  });
}

/** Sends the callbacks of a relay in the plain form, with statuses that have no meaning yet and one invalid time. */
async function seedUnknownStatuses({ db }: Services, demo: Demo, apiKeyId: number): Promise<void> {
  const { rows } = await db.pool.query<{ request_id: string }>(
    'SELECT request_id FROM inbound_records WHERE starts_with(request_id, $1) AND processed_at IS NOT NULL',
    [RELAY_ID_PREFIX],
  );
  const processedIds = new Set(rows.map((row) => row.request_id));
  for (const [index, { data, receivedAt }] of createDemoRelayCallbacks(demo.orders, demo.beganAt).entries()) {
    const requestId = `${RELAY_ID_PREFIX}${index + 1}`;
    if (processedIds.has(requestId)) continue;
    const body = Buffer.from(JSON.stringify({ event: 'tracking', data }));
    const headers = { 'content-type': 'application/json', 'user-agent': 'relay/1.0' };
    const callback = { body, receivedRequest: { method: 'POST', query: [], headers }, sign: null };
    await receiveCallback(
      db,
      { ...callback, apiKeyId, requestId },
      { signingSecret: undefined, now: () => receivedAt },
    );
  }
}

async function seedStatistics({ db }: Services, demo: Demo, apiKeyId: number): Promise<void> {
  const { shops, orders, beganAt } = demo;
  const sender = { apiKeyId, requireCallerAfterWait: async () => {} };
  await runInParallel(createShopStatistics(shops, orders, beganAt), (row) =>
    upsertShopStatistic(db, row, sender),
  );
  await runInParallel(createListingStatistics(shops, orders, beganAt), (row) =>
    upsertListingStatistic(db, row, sender),
  );
}

async function seedPrompts({ db }: Services, { shops }: Demo): Promise<void> {
  for (const [index, shop] of shops.entries()) {
    const storedCount = await db.prisma.promptVersion.count({
      where: { prompt: { shop: { name: shop.name } } },
    });
    for (const prompt of createDemoPrompts(shop, index).slice(storedCount)) {
      await setPrompt(db, ACTOR, { shopName: shop.name, ...prompt });
    }
  }
}

async function seedReplies(services: Services, { orders }: Demo, apiKeyId: number): Promise<void> {
  for (const [index, request] of createDemoConversations(orders).entries()) {
    const requestId = `${REPLY_ID_PREFIX}${index + 1}`;
    const replyCount = await services.db.prisma.reply.count({ where: { requestId, outcome: 'answered' } });
    const caller = { kind: 'request' as const, apiKeyId, requestedBy: null, requestId };
    if (replyCount === 0) await replyToBuyer(services, caller, request);
  }
}

/** Creates the contents of a demo whose seeding began at this instant. */
function createDemo(beganAt: number): Demo {
  return { shops: createDemoShops(), orders: createDemoOrders(beganAt), beganAt };
}

/**
 * Fills a database once with the demo's data, almost entirely through Brickdesk's own services. Every step can be repeated, so
 * that an interrupted seeding is finished the next time with the same data, which depends only on the stored instant at which
 * seeding began.
 *
 * @param log receives one line if there is anything to do
 */
export async function seedDemo(
  services: Services,
  apiKeyId: number,
  log: (line: string) => void = () => undefined,
): Promise<Demo> {
  const { db } = services;
  const storedBeganAt = await readMarker(db, 'demo.begin');
  const beganAt = storedBeganAt ?? services.now();
  const demo = createDemo(beganAt);
  if ((await readMarker(db, 'demo.end')) !== null) return demo;
  log(
    storedBeganAt === null
      ? 'Creating the demo data ...'
      : 'Finishing the demo data, which was interrupted ...',
  );
  if (storedBeganAt === null) await writeMarker(db, 'demo.begin', beganAt);
  const header = ['category', 'code', 'name'];
  const rows = [header, ...PRODUCTS.map(({ category, code, name }) => [category, code, name])];
  await importProducts(db, ACTOR, { rows, lines: rows.map((_, index) => index + 1) });
  await seedOrders(services, demo, apiKeyId);
  await seedTracking(services, demo, apiKeyId);
  await seedUnknownStatuses(services, demo, apiKeyId);
  await seedStatistics(services, demo, apiKeyId);
  await seedPrompts(services, demo);
  await seedReplies(services, demo, apiKeyId);
  await writeMarker(db, 'demo.end', beganAt);
  return demo;
}
