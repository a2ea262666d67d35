import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { invalidField, ServiceError } from '../core/errors/errors';
import { because } from '../core/errors/reason';
import type { Log } from '../core/log';
import type { Database } from '../db/client';
import * as sql from './idempotency.queries';

/** A request that may be sent twice, identified by its Idempotency-Key. */
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
 * Stores the call's output in the transaction that stores its effect: both are there, or neither. A repeated call gets this
 * response, even if the process died before it could send it.
 *
 * @throws ServiceError `conflict` if another process has taken over the call and responded in the meantime
 */
export type StoreResponse = (client: pg.PoolClient, output: object) => Promise<void>;

const KEPT_HOURS = 24;
/** A running request renews its lease; once the lease of a dead process has expired, another takes over. */
const LEASE_SECONDS = 30;
const POLL_MS = 100;
const PATIENCE_MS = 120_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

/** @throws ServiceError `validation_failed` for an invalid key */
export function checkIdempotencyKey(key: string): void {
  if (KEY.test(key)) return;
  const reason = because('request.idempotencyKey');
  throw invalidField('Idempotency-Key', reason);
}

/** What identifies a call. */
const idOf = ({ apiKeyId, operation, key }: IdempotentCall) => ({ apiKeyId, operation, key });

/** Returns the stored response of an earlier call, or null if this process is to run the call. Waits while another runs it. */
async function takeOrFind(
  db: Database,
  call: IdempotentCall,
  patienceMs: number,
): Promise<StoredResponse | null> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const [claimed] = await sql.claimCall.runPrepared(db.pool, {
      ...idOf(call),
      bodyHash: call.bodyHash,
      leaseSeconds: LEASE_SECONDS,
      keptHours: KEPT_HOURS,
    });
    if (claimed) return null;
    const [found] = await sql.findCall.runPrepared(db.pool, idOf(call));
    if (found && !found.body_hash.equals(call.bodyHash)) {
      const reason = because('request.idempotencyReused');
      throw invalidField('Idempotency-Key', reason);
    }
    if (found && found.status !== null) return { status: found.status, body: found.body ?? '' };
    if (performance.now() > deadline) {
      throw new ServiceError('service_unavailable', because('request.stillRunning'), {
        headers: { 'Retry-After': '5' },
      });
    }
    await sleep(POLL_MS);
  }
}

async function findResponse(db: Database, call: IdempotentCall): Promise<StoredResponse | null> {
  const [found] = await sql.findCall.runPrepared(db.pool, idOf(call));
  return found && found.status !== null ? { status: found.status, body: found.body ?? '' } : null;
}

/**
 * Stores the response of a call that had no transaction to store it in. If this fails, the response is still valid: the caller
 * gets it, and the same call runs again once its lease has expired.
 *
 * @returns the response of the process that took over the call, if one did
 */
async function storeAfterwards(
  { db, log }: IdempotencyServices,
  call: IdempotentCall,
  { status, body }: StoredResponse,
): Promise<StoredResponse | null> {
  try {
    const [stored] = await sql.storeResponse.run(db.pool, { ...idOf(call), status, body });
    return stored ? null : await findResponse(db, call);
  } catch (error) {
    log.error({ err: error, operation: call.operation }, 'response could not be stored');
    return null;
  }
}

/**
 * After a failed call, returns the response that was stored anyway because only the confirmation of its commit was lost.
 * Otherwise releases the call for another try. If the database is unreachable, its lease expires.
 */
async function findStoredInSpite(
  { db, log }: IdempotencyServices,
  call: IdempotentCall,
): Promise<StoredResponse | null> {
  try {
    const [released] = await sql.releaseCall.run(db.pool, idOf(call));
    return released ? null : await findResponse(db, call);
  } catch (error) {
    log.warn({ err: error, operation: call.operation }, 'idempotent call could not be given free');
    return null;
  }
}

interface IdempotencyServices {
  db: Database;
  log: Pick<Log, 'error' | 'warn'>;
}

/**
 * Runs a call once, however often it is sent within 24 hours: the same key and body get the first response; of two at once,
 * only one runs. Responses of 500 and above are not stored, so that the call can be retried. What `run` stores in one
 * transaction with its effect is the response, even if something fails afterwards.
 *
 * @throws ServiceError `validation_failed` if the key was used with another body; whatever `run` throws
 */
export async function runOnce(
  services: IdempotencyServices,
  call: IdempotentCall,
  run: (keep: StoreResponse) => Promise<StoredResponse>,
  options: { patienceMs?: number } = {},
): Promise<StoredResponse & { replayed: boolean }> {
  const { db } = services;
  const found = await takeOrFind(db, call, options.patienceMs ?? PATIENCE_MS);
  if (found) return { ...found, replayed: true };
  const renewal = setInterval(
    () =>
      void sql.renewLease.run(db.pool, { ...idOf(call), leaseSeconds: LEASE_SECONDS }).catch(() => undefined),
    (LEASE_SECONDS * 1000) / 3,
  );
  let kept = false;
  const keep: StoreResponse = async (client, output) => {
    const body = JSON.stringify(output);
    const [stored] = await sql.storeResponse.run(client, { ...idOf(call), status: 200, body });
    if (!stored) throw new ServiceError('conflict', because('request.answeredMeanwhile'));
    kept = true;
  };
  try {
    const response = await run(keep);
    const stays = response.status < 400 ? kept : false;
    const other = stays ? null : await storeAfterwards(services, call, response);
    return other ? { ...other, replayed: true } : { ...response, replayed: false };
  } catch (error) {
    const stored = await findStoredInSpite(services, call);
    if (stored === null) throw error;
    return { ...stored, replayed: false };
  } finally {
    clearInterval(renewal);
  }
}

/** Deletes expired responses. */
export async function deleteExpiredResponses(db: Database): Promise<void> {
  await sql.deleteExpiredCalls.run(db.pool, { keptHours: KEPT_HOURS });
}
