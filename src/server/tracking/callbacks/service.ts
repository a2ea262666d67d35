import { createHash, timingSafeEqual } from 'node:crypto';
import { isServiceError, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { ReceivedRequest } from '../../core/http/received-request';
import { parseJsonObject } from '../../core/text/json-object';
import type { Database } from '../../db/client';
import { inTransactionWithLimitedWait } from '../../db/locks/lock-waits';
import { finishInboundRequest, storeInboundRequest, toPublicId } from '../../inbound/service';
import { countNewEvents, groupByNumber, mergeObservationsInTransaction } from '../merge-service';
import { NOTHING_PARSED, type ParsedCallback, parseCallback } from './callback';
import { toStoredSkippedParts } from './skipped-parts';

/** A callback as received. */
export interface Callback {
  body: Uint8Array;
  receivedRequest: ReceivedRequest;
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
 * Verifies 17TRACK's signature in constant time: the SHA-256 of the raw body, a slash and the secret, in hexadecimal
 * (docs/tracking.md).
 *
 * @throws ServiceError `unauthorized`
 */
function verifySignature(body: Uint8Array, sign: string | null, secret: string): void {
  const expectedHash = createHash('sha256').update(body).update(`/${secret}`).digest();
  const submittedHash = Buffer.from(sign ?? '', 'hex');
  if (submittedHash.length === expectedHash.length && timingSafeEqual(submittedHash, expectedHash)) return;
  throw new ServiceError('unauthorized', createReason(sign ? 'request.signature' : 'request.noSignature'), {
    headers: { 'WWW-Authenticate': 'Signature realm="Brickdesk", header="sign"' },
  });
}

/**
 * Parses a stored body, on arrival or later when it is replayed. Events without a time get the time of receipt. If the body is
 * not a valid JSON object, which masking may cause, returns only a reason.
 *
 * @param parsedBody the body as parsed JSON, if the caller has it
 */
export function parseStoredBody(
  body: Uint8Array,
  receivedAt: number,
  parsedBody?: Record<string, unknown>,
): ParsedCallback {
  try {
    const bodyHash = createHash('sha256').update(body).digest('hex');
    return parseCallback(parsedBody ?? parseJsonObject(body), receivedAt, bodyHash);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { form: 'unknown', ...NOTHING_PARSED, reason: error.reason };
  }
}

/**
 * Receives a carrier's callback: stores the body, then merges the events that it can read and updates shipments and orders.
 * A repeated body is stored again and changes nothing else. A body that is not understood is stored with the reason.
 *
 * @param options.now overrides the time of receipt, for the demo, whose callbacks are from the past
 * @throws ServiceError `unauthorized`, or `validation_failed` if the body is not a JSON object, in which cases nothing is stored;
 * `service_unavailable` after waiting too long for tracking numbers that an import has locked: the body is stored, and a
 * background job replays it
 */
export async function receiveCallback(
  db: Database,
  callback: Callback,
  options: { signingSecret: string | undefined; now?: () => number },
): Promise<CallbackResult> {
  const parsedBody = parseJsonObject(callback.body);
  if (options.signingSecret) verifySignature(callback.body, callback.sign, options.signingSecret);
  const storedRequest = await storeInboundRequest(db, { kind: 'tracks', ...callback });
  const recordId = storedRequest.id;
  const receivedAt = options.now?.() ?? storedRequest.receivedAt;
  // Parses the body as stored, with credentials masked, so that a replay finds the same events.
  const parsedCallback = parseStoredBody(
    storedRequest.body,
    receivedAt,
    storedRequest.body === callback.body ? parsedBody : undefined,
  );
  const { form, trackingNumbers, reason } = parsedCallback;
  const reports = groupByNumber(parsedCallback, recordId);
  const mergeResult = await inTransactionWithLimitedWait(db.pool, (client) =>
    mergeObservationsInTransaction(client, reports),
  );
  const result: CallbackResult = {
    record_id: toPublicId(recordId),
    tracking_numbers: trackingNumbers,
    matched_orders: new Set(mergeResult.orders.map(({ orderId }) => orderId)).size,
    updated_orders: mergeResult.changedOrderIds.size,
    new_events: countNewEvents(mergeResult),
  };
  await finishInboundRequest(db.pool, recordId, {
    result: { form, ...result, ...toStoredSkippedParts(parsedCallback.skipped) },
    error: reason,
  });
  return result;
}
