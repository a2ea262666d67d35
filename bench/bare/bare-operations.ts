import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { listProductCodes } from '../../src/server/catalog/catalog.queries';
import { createRunInTurn } from '../../src/server/core/run-in-turn';
import { NEW_YORK } from '../../src/server/core/time';
import { takeSharedLock } from '../../src/server/db/locks/advisory-locks';
import { addRecord, finishRecord } from '../../src/server/inbound/inbound.queries';
import { lockOrders } from '../../src/server/orders/shop-orders.queries';
import { SUB_STATUS_ORDER } from '../../src/server/orders/tracking/event-order';
import { findOrdersByTrackingNumber } from '../../src/server/orders/tracking/number-shops-service';
import { listShipments, updateStatuses } from '../../src/server/orders/tracking/tracking-status.queries';
import { upsertShopDays } from '../../src/server/statistics/statistics.queries';
import { SHOP_TABLE } from '../../src/server/statistics/tables';
import {
  addObservations,
  lockNumbers,
  readObservations,
  writeStatuses,
} from '../../src/server/tracking/merge.queries';
import { MAX_KEPT_OBSERVATIONS } from '../../src/server/tracking/observation';
import { findOrder, readTrackingNumbers } from '../../src/server/tracking/query.queries';
import { RETURN_SUB_STATUSES, readProviderStatus } from '../../src/server/tracking/status';

/** Handles an authenticated request. The return value is sent as JSON. */
export type BareOperation = (
  pool: pg.Pool,
  keyId: number,
  req: IncomingMessage,
  body: Buffer,
) => Promise<unknown>;

// biome-ignore lint/suspicious/noExplicitAny: bodies come from the bench and are not checked.
type RequestData = any;

const MEMBERS = [...SHOP_TABLE.key, ...SHOP_TABLE.fields];

const createCodeListOperation =
  (category: string | null): BareOperation =>
  async (pool) => {
    const { rows } = await pool.query({
      name: 'product-codes',
      text: listProductCodes.text,
      values: [category],
    });
    return rows[0].codes;
  };

/** Runs calls for the same day of a shop in turn: the statement writes nothing if another call changes the day at the same time. */
const runInTurn = createRunInTurn();
const MAX_TRIES = 100;

const storeStatistics: BareOperation = async (pool, keyId, _req, body) => {
  const requestData: RequestData = JSON.parse(body.toString());
  const members = Object.fromEntries(MEMBERS.map((name) => [name, requestData[name]]));
  const row = { ...members, extra: { returning_visitors: requestData.returning_visitors } };
  const params = {
    shopId: String(requestData.shop_id),
    rowsJson: JSON.stringify([row]),
    apiKeyId: keyId,
    timeZone: NEW_YORK,
  };
  return runInTurn(`${requestData.shop_id} ${requestData.date}`, async () => {
    // The service may still be writing the same day for requests of the previous round. Like the service, repeat the statement.
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const [writtenRow] = await upsertShopDays.runPrepared(pool, params);
      if (writtenRow) return { success: true, data: writtenRow };
    }
    throw new Error('The day was not written.');
  });
};

/**
 * Returns the observations from a callback with one event: one from the plain format, two from 17TRACK's, which also contains the
 * latest status.
 */
function observationsOf(data: RequestData): Record<string, unknown>[] {
  const identityFieldsOf = (number: string, kind: string, time: string, source: string) => {
    const identity = createHash('sha256').update(`${number}${kind}${time}`).digest('hex');
    return { tracking_number: number, kind, identity, occurred_at: time, source };
  };
  if (data.number === undefined)
    return [{ ...data, ...identityFieldsOf(data.tracking_number, 'event', data.time, 'callback') }];
  const { latest_status: latestStatus, tracking } = data.track_info;
  const status = readProviderStatus(latestStatus.status);
  const event = tracking.providers[0].events[0];
  return [
    { ...event, status, ...identityFieldsOf(data.number, 'event', event.time_utc, '17track') },
    { ...latestStatus, status, ...identityFieldsOf(data.number, 'snapshot', event.time_utc, '17track') },
  ];
}

async function mergeObservations(
  client: pg.PoolClient,
  observations: Record<string, unknown>[],
  recordId: string,
) {
  const { tracking_number, status, sub_status: subStatus, occurred_at: time } = observations[0]!;
  const number = String(tracking_number);
  await takeSharedLock(client, 'statusMappings');
  const trackingNumbers = [number];
  await lockNumbers.runPrepared(client, { trackingNumbers });
  const addedEvents = await addObservations.runPrepared(client, {
    observations: JSON.stringify(
      observations.map((observation) => ({ ...observation, record_id: recordId })),
    ),
  });
  // The service derives the status from all observations. Here they are only read, and the status is the event's.
  await readObservations.runPrepared(client, {
    trackingNumbers,
    limit: MAX_KEPT_OBSERVATIONS,
    returnSubStatuses: RETURN_SUB_STATUSES,
  });
  await writeStatuses.runPrepared(client, {
    statuses: JSON.stringify([
      { tracking_number: number, status, sub_status: subStatus, since: Date.parse(time as string) },
    ]),
    trackingNumbers,
  });
  const ordersByShop = await findOrdersByTrackingNumber(client, [number]);
  let changedCount = 0;
  for (const orders of ordersByShop) {
    const [lock] = await lockOrders.runPrepared(client, orders);
    const shipments = (await listShipments.runPrepared(client, orders)).map(({ order_id }) => ({
      order_id,
      status,
      was_delivered: status === 'delivered',
    }));
    const updatedOrders = await updateStatuses.runPrepared(client, {
      ...orders,
      shipments: JSON.stringify(shipments),
      statusesSetByUsers: '[]',
      importId: null,
      at: lock!.locked_at,
      mayMoveBack: false,
    });
    changedCount += updatedOrders.length;
  }
  return {
    record_id: Number(recordId),
    tracking_numbers: [number],
    matched_orders: ordersByShop.reduce((sum, { orderIds }) => sum + orderIds.length, 0),
    updated_orders: changedCount,
    new_events: addedEvents.length,
  };
}

const storeCallback: BareOperation = async (pool, keyId, req, body) => {
  const [record] = await addRecord.runPrepared(pool, {
    kind: 'tracks',
    method: req.method!,
    query: '[]',
    headers: JSON.stringify(req.headers),
    body,
    apiKeyId: keyId,
    requestId: null,
  });
  const recordId = record!.id;
  const client = await pool.connect();
  let data: object;
  try {
    await client.query('BEGIN');
    data = await mergeObservations(client, observationsOf(JSON.parse(body.toString()).data), recordId);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await finishRecord.runPrepared(pool, { id: recordId, result: JSON.stringify(data), error: null });
  return { success: true, data };
};

const readTrackingText: BareOperation = async (pool, _keyId, req) => {
  const id = req.url!.slice(req.url!.indexOf('=') + 1);
  const [order] = await findOrder.runPrepared(pool, { id });
  const trackingNumbers = (order!.shipments as { tracking_number: string }[]).map(
    (shipment) => shipment.tracking_number,
  );
  const [shipment] = await readTrackingNumbers.runPrepared(pool, {
    trackingNumbers,
    progress: SUB_STATUS_ORDER,
  });
  return { success: true, data: { ...order, ...shipment } };
};

/** The measured operations by path. They run the service's statements, without its checks. */
export const BARE_OPERATIONS = new Map<string, BareOperation>([
  ['/api/legos-head', createCodeListOperation('head')],
  ['/api/legos-sku', createCodeListOperation(null)],
  ['/api/shop-statistics', storeStatistics],
  ['/api/v1/tracks', storeCallback],
  ['/api/v1/tracking-text', readTrackingText],
]);
