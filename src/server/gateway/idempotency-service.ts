import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { invalidField, ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Log } from '../core/log';
import type { Database } from '../db/client';
import * as sql from './idempotency.queries';

/** A request that may be sent more than once, identified by its Idempotency-Key. */
export interface IdempotentCall {
  apiKeyId: number;
  operation: string;
  key: string;
  /** SHA-256 of the body. */
  bodyHash: Buffer;
}

/** A stored response that is sent again unchanged. */
export interface StoredResponse {
  status: number;
  body: string;
}

/**
 * Stores the call's output in the transaction that makes its changes, so that both are committed or neither is. A repeated call
 * gets this response even if the process dies before sending it.
 *
 * @throws ServiceError `service_unavailable` if another process has taken over the call
 */
export type StoreResponse = (client: pg.PoolClient, output: object) => Promise<void>;

const RETENTION_HOURS = 24;
/** A running request renews its lease. If its process dies, another can take over once the lease has expired. */
const LEASE_SECONDS = 15;
const POLL_INTERVAL_MS = 100;
const MAX_WAIT_MS = 120_000;
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/** @throws ServiceError `validation_failed` for an invalid key */
export function checkIdempotencyKey(key: string): void {
  if (KEY_PATTERN.test(key)) return;
  const reason = createReason('request.idempotencyKey');
  throw invalidField('Idempotency-Key', reason);
}

/** A call that this process runs; `claimedAt` distinguishes its claim from that of a process that has taken the call over. */
interface ClaimedCall extends IdempotentCall {
  claimedAt: string;
}

const stillRunningError = () =>
  new ServiceError('service_unavailable', createReason('request.stillRunning'), {
    headers: { 'Retry-After': '5' },
  });

/** Returns the columns that identify a call. */
const idOf = ({ apiKeyId, operation, key }: IdempotentCall) => ({ apiKeyId, operation, key });
const claimOf = (call: ClaimedCall) => ({ ...idOf(call), claimedAt: call.claimedAt });

/**
 * Claims the call, or returns its stored response. Waits while another request runs it.
 *
 * @returns also whether there was a wait, here or in the database, where the other request may hold a lock until it ends
 */
async function claimOrFindResponse(
  db: Database,
  call: IdempotentCall,
  maxWaitMs: number,
): Promise<{ hasWaited: boolean } & ({ claimedCall: ClaimedCall } | { storedResponse: StoredResponse })> {
  const startedAtMs = performance.now();
  for (let hasSlept = false; ; hasSlept = true) {
    const [claim] = await sql.claimCall.runPrepared(db.pool, {
      ...idOf(call),
      bodyHash: call.bodyHash,
      leaseSeconds: LEASE_SECONDS,
      retentionHours: RETENTION_HOURS,
    });
    const hasWaited = hasSlept || performance.now() - startedAtMs > POLL_INTERVAL_MS;
    if (claim) return { hasWaited, claimedCall: { ...call, claimedAt: claim.claimed_at } };
    const [storedCall] = await sql.findCall.runPrepared(db.pool, idOf(call));
    if (storedCall && !storedCall.body_hash.equals(call.bodyHash)) {
      const reason = createReason('request.idempotencyReused');
      throw invalidField('Idempotency-Key', reason);
    }
    if (storedCall && storedCall.status !== null)
      return { hasWaited, storedResponse: { status: storedCall.status, body: storedCall.body ?? '' } };
    if (performance.now() - startedAtMs > maxWaitMs) throw stillRunningError();
    await sleep(POLL_INTERVAL_MS);
  }
}

async function findResponse(db: Database, call: IdempotentCall): Promise<StoredResponse | null> {
  const [storedCall] = await sql.findCall.runPrepared(db.pool, idOf(call));
  return storedCall && storedCall.status !== null
    ? { status: storedCall.status, body: storedCall.body ?? '' }
    : null;
}

/**
 * Stores the response of a call that has not stored it in its own transaction. If that fails, the caller still gets the
 * response, and a repeated call runs again once the lease has expired.
 *
 * @returns the response that is already stored, if there is one: the call stored it before it failed, or another process took the
 *   call over and stored it
 */
async function storeResponseAfterwards(
  { db, log }: IdempotencyServices,
  call: ClaimedCall,
  { status, body }: StoredResponse,
): Promise<StoredResponse | null> {
  try {
    const [storedCall] = await sql.storeResponse.run(db.pool, { ...claimOf(call), status, body });
    return storedCall ? null : await findResponse(db, call);
  } catch (error) {
    log.error({ err: error, operation: call.operation }, 'response could not be stored');
    return null;
  }
}

/**
 * Returns the response of a failed call if it was stored after all, for example because only the confirmation of its commit was
 * lost. Otherwise releases the call so that it can be retried. If the database is unreachable, the lease expires by itself.
 */
async function releaseOrFindResponse(
  { db, log }: IdempotencyServices,
  call: ClaimedCall,
): Promise<StoredResponse | null> {
  try {
    const [releasedCall] = await sql.releaseCall.run(db.pool, claimOf(call));
    return releasedCall ? null : await findResponse(db, call);
  } catch (error) {
    log.warn({ err: error, operation: call.operation }, 'idempotent call could not be released');
    return null;
  }
}

interface IdempotencyServices {
  db: Database;
  log: Pick<Log, 'error' | 'warn'>;
}

/**
 * Runs a call once, however often it is sent within 24 hours. Repeats with the same key and body get the first response, and
 * concurrent repeats wait for it. A call whose `run` throws can be retried, unless `run` had stored its response by then.
 *
 * @param options.afterWait runs after a wait, before the call is run or gets a stored response: the wait may last minutes, in
 * which the caller may have been revoked. If it throws, the call can be retried.
 * @throws ServiceError `validation_failed` if the key was used with another body; `service_unavailable` if another request takes
 * too long to run the call; whatever `run` or `afterWait` throws
 */
export async function runOnce<R extends StoredResponse>(
  services: IdempotencyServices,
  call: IdempotentCall,
  run: (storeResponse: StoreResponse) => Promise<R>,
  options: { maxWaitMs?: number; afterWait?: () => Promise<void> } = {},
): Promise<(R | StoredResponse) & { replayed: boolean }> {
  const { db } = services;
  const claimOrResponse = await claimOrFindResponse(db, call, options.maxWaitMs ?? MAX_WAIT_MS);
  const afterWait = claimOrResponse.hasWaited ? options.afterWait : undefined;
  if ('storedResponse' in claimOrResponse) {
    await afterWait?.();
    return { ...claimOrResponse.storedResponse, replayed: true };
  }
  const { claimedCall } = claimOrResponse;
  const renewalTimer = setInterval(
    () =>
      void sql.renewLease
        .run(db.pool, { ...claimOf(claimedCall), leaseSeconds: LEASE_SECONDS })
        .catch(() => undefined),
    (LEASE_SECONDS * 1000) / 3,
  );
  let isResponseStored = false;
  const storeResponse: StoreResponse = async (client, output) => {
    const body = JSON.stringify(output);
    const [storedCall] = await sql.storeResponse.run(client, { ...claimOf(claimedCall), status: 200, body });
    if (!storedCall) throw stillRunningError();
    isResponseStored = true;
  };
  try {
    await afterWait?.();
    const response = await run(storeResponse);
    const existingResponse =
      isResponseStored && response.status < 400
        ? null
        : await storeResponseAfterwards(services, claimedCall, response);
    return existingResponse ? { ...existingResponse, replayed: true } : { ...response, replayed: false };
  } catch (error) {
    const storedResponse = await releaseOrFindResponse(services, claimedCall);
    if (storedResponse === null) throw error;
    return { ...storedResponse, replayed: false };
  } finally {
    clearInterval(renewalTimer);
  }
}

/** Deletes expired responses. */
export async function deleteExpiredResponses(db: Database): Promise<void> {
  await sql.deleteExpiredCalls.run(db.pool, { retentionHours: RETENTION_HOURS });
}
