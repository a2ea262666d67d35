import { createHash, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { ServiceError } from '../core/errors';
import { parseJsonObject } from '../core/json-object';
import { inTransaction } from '../core/postgres';
import type { Received } from '../core/received';
import type { Database } from '../db/client';
import { finishInbound, publicId, storeInbound } from '../debug/inbound-service';
import { refreshTrackingStatus } from '../orders/service';
import { understandCallback } from './callback';
import {
  ADD_OBSERVATIONS,
  LOCK_WAYBILL,
  ORDERS_OF_WAYBILL,
  READ_OBSERVATIONS,
  WRITE_STATUS,
} from './merge-sql';
import type { Observation } from './observation';
import { foldStatus, type Observed, TRACKING_STATUSES, type TrackingStatus } from './status';

/** A callback as it came. */
export interface Callback {
  body: Uint8Array;
  received: Received;
  /** The header `sign`. */
  sign: string | null;
  apiKeyId: number;
  requestId: string;
}

export interface CallbackResult {
  record_id: number | string;
  tracking_numbers: string[];
  matched_orders: number;
  updated_orders: number;
  new_events: number;
}

/**
 * Checks 17TRACK's signature: the lowercase hex SHA-256 of the raw body, a slash and the key (carriers.md), in constant time.
 *
 * @throws ServiceError `unauthorized`
 */
function verifySignature(body: Uint8Array, sign: string | null, secret: string): void {
  const expected = createHash('sha256').update(body).update(`/${secret}`).digest();
  const given = Buffer.from(sign ?? '', 'hex');
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new ServiceError('unauthorized', 'The header sign does not verify the body.', {
    headers: { 'WWW-Authenticate': 'Signature realm="Brickdesk", header="sign"' },
  });
}

/**
 * Takes a carrier's callback: stores the body first, then merges what is understood of it and moves shipments and orders. A
 * body that comes again, or late, changes nothing; one that is not understood is stored and says so.
 *
 * @throws ServiceError `unauthorized` (nothing is stored), `validation_failed` for what is no JSON object
 */
export async function receiveCallback(
  db: Database,
  callback: Callback,
  options: { signingSecret: string | undefined; now: () => number },
): Promise<CallbackResult> {
  const body = parseJsonObject(callback.body);
  if (options.signingSecret) verifySignature(callback.body, callback.sign, options.signingSecret);
  const recordId = await storeInbound(db, { kind: 'tracks', ...callback });
  const bodyHash = createHash('sha256').update(callback.body).digest('hex');
  const { form, trackingNumbers, observations, reason } = understandCallback(body, options.now(), bodyHash);

  const result: CallbackResult = {
    record_id: publicId(recordId),
    tracking_numbers: trackingNumbers,
    matched_orders: 0,
    updated_orders: 0,
    new_events: 0,
  };
  const matched = new Set<string>();
  const updated = new Set<string>();
  // One waybill a transaction: several at once would have to be locked in one order with everybody else's.
  for (const trackingNumber of trackingNumbers) {
    const own = observations.filter((observation) => observation.trackingNumber === trackingNumber);
    const merged = await mergeObservations(db, trackingNumber, own, { recordId });
    for (const orderId of merged.orderIds) matched.add(orderId);
    for (const orderId of merged.changedOrderIds) updated.add(orderId);
    result.new_events += merged.newEvents;
  }
  result.matched_orders = matched.size;
  result.updated_orders = updated.size;
  await finishInbound(db.pool, recordId, { result: { form, ...result }, error: reason });
  return result;
}

interface Merged {
  orderIds: string[];
  changedOrderIds: string[];
  newEvents: number;
}

interface StoredObservation {
  kind: Observed['kind'];
  identity: string;
  occurred_at: number;
  status: TrackingStatus | null;
  sub_status: string | null;
}

/** One record of a set has each identity once; within a payload the greater status wins, as it does against what is stored. */
function distinct(observations: readonly Observation[]): Observation[] {
  const rank = ({ status }: Observation) => (status === null ? -1 : TRACKING_STATUSES.indexOf(status));
  const kept = new Map<string, Observation>();
  for (const next of observations) {
    const known = kept.get(next.identity);
    const order = known
      ? rank(next) - rank(known) || ((next.subStatus ?? '') > (known.subStatus ?? '') ? 1 : -1)
      : 1;
    if (order > 0) kept.set(next.identity, next);
  }
  return [...kept.values()];
}

function asRecords(observations: readonly Observation[]): string {
  return JSON.stringify(
    distinct(observations).map((each) => ({
      tracking_number: each.trackingNumber,
      kind: each.kind,
      identity: each.identity,
      occurred_at: new Date(each.occurredAt).toISOString(),
      status: each.status,
      sub_status: each.subStatus,
      stage: each.stage,
      provider_status: each.providerStatus,
      description: each.description,
      location: each.location,
      source: each.source,
    })),
  );
}

async function writeStatus(
  client: pg.PoolClient,
  trackingNumber: string,
  carrier: string | null,
): Promise<void> {
  const { rows } = await client.query<StoredObservation>({
    name: 'tracking-read',
    text: READ_OBSERVATIONS,
    values: [trackingNumber],
  });
  const { status, subStatus, since } = foldStatus(
    rows.map((row) => ({
      kind: row.kind,
      identity: row.identity,
      occurredAt: row.occurred_at,
      status: row.status,
      subStatus: row.sub_status,
    })),
  );
  await client.query({
    name: 'tracking-write',
    text: WRITE_STATUS,
    values: [trackingNumber, status, subStatus, since, carrier],
  });
}

/**
 * Merges observations of one waybill number into the stored set, and brings its status and its orders' in line, in one
 * transaction. Doing it again changes nothing.
 */
export async function mergeObservations(
  db: Database,
  trackingNumber: string,
  observations: readonly Observation[],
  origin: { recordId?: string; carrier?: string | null },
): Promise<Merged> {
  return inTransaction(db.pool, async (client) => {
    await client.query({ name: 'tracking-lock', text: LOCK_WAYBILL, values: [trackingNumber] });
    const added = await client.query<{ new_events: number }>({
      name: 'tracking-add',
      text: ADD_OBSERVATIONS,
      values: [asRecords(observations), origin.recordId ?? null],
    });
    await writeStatus(client, trackingNumber, origin.carrier ?? null);
    const { rows } = await client.query<{ order_id: string }>({
      name: 'tracking-orders',
      text: ORDERS_OF_WAYBILL,
      values: [trackingNumber],
    });
    const orderIds = rows.map((row) => row.order_id);
    const changedOrderIds = orderIds.length > 0 ? await refreshTrackingStatus(client, orderIds) : [];
    return { orderIds, changedOrderIds, newEvents: added.rows[0]!.new_events };
  });
}
