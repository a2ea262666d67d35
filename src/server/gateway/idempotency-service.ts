import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ServiceError, validationError } from '../core/errors';
import type { Log } from '../core/log';
import { because, problemAt } from '../core/reason';
import type { Database } from '../db/client';

/** A request that may be sent twice, identified by its Idempotency-Key. */
export interface IdempotentCall {
  apiKeyId: number;
  operation: string;
  key: string;
  /** SHA-256 of the body. */
  bodyHash: Buffer;
}

/** A stored response that is sent again unchanged. */
export interface KeptAnswer {
  status: number;
  body: string;
}

/**
 * Stores the call's output in the transaction that stores its effect: both are there, or neither. A repeated call gets this
 * response, even if the process died before it could send it.
 *
 * @throws ServiceError `conflict` if another process has taken over the call and responded in the meantime
 */
export type KeepAnswer = (client: pg.PoolClient, output: object) => Promise<void>;

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
  throw validationError([problemAt('Idempotency-Key', reason)]);
}

/** Claims the call if it is new, past its day, or left behind by a process that died. */
const TAKE = `
INSERT INTO idempotent_requests AS r (api_key_id, operation, key, body_hash, leased_until)
VALUES ($1, $2, $3, $4, now() + make_interval(secs => ${LEASE_SECONDS}))
ON CONFLICT (api_key_id, operation, key) DO UPDATE SET
  body_hash = excluded.body_hash, status = NULL, body = NULL, created_at = now(), leased_until = excluded.leased_until
  WHERE r.created_at < now() - interval '${KEPT_HOURS} hours'
     OR (r.status IS NULL AND r.leased_until < now() AND r.body_hash = excluded.body_hash)
RETURNING 1`;

const FIND = `SELECT body_hash, status, body FROM idempotent_requests WHERE api_key_id = $1 AND operation = $2 AND key = $3`;

const RENEW = `
UPDATE idempotent_requests SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
 WHERE api_key_id = $1 AND operation = $2 AND key = $3 AND status IS NULL`;

const KEEP = `
UPDATE idempotent_requests SET status = $4, body = $5
 WHERE api_key_id = $1 AND operation = $2 AND key = $3 AND status IS NULL`;

const FORGET = `
DELETE FROM idempotent_requests WHERE api_key_id = $1 AND operation = $2 AND key = $3 AND status IS NULL`;

interface FoundRow {
  body_hash: Buffer;
  status: number | null;
  body: string | null;
}

/** Returns the stored response of an earlier call, or null if this process is to run the call. Waits while another runs it. */
async function takeOrFind(
  db: Database,
  call: IdempotentCall,
  patienceMs: number,
): Promise<KeptAnswer | null> {
  const id = [call.apiKeyId, call.operation, call.key];
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const taken = await db.pool.query({
      name: 'idempotency-take',
      text: TAKE,
      values: [...id, call.bodyHash],
    });
    if (taken.rowCount === 1) return null;
    const { rows } = await db.pool.query<FoundRow>({ name: 'idempotency-find', text: FIND, values: id });
    const found = rows[0];
    if (found && !found.body_hash.equals(call.bodyHash)) {
      const reason = because('request.idempotencyReused');
      throw validationError([problemAt('Idempotency-Key', reason)]);
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

const idOf = (call: IdempotentCall) => [call.apiKeyId, call.operation, call.key];

async function findAnswer(db: Database, call: IdempotentCall): Promise<KeptAnswer | null> {
  const { rows } = await db.pool.query<FoundRow>({
    name: 'idempotency-find',
    text: FIND,
    values: idOf(call),
  });
  const found = rows[0];
  return found && found.status !== null ? { status: found.status, body: found.body ?? '' } : null;
}

/**
 * Stores the response of a call that had no transaction to store it in. If this fails, the response is still valid: the caller
 * gets it, and the same call runs again once its lease has expired.
 *
 * @returns the response of the process that took over the call, if one did
 */
async function keepAfterwards(
  { db, log }: OnceServices,
  call: IdempotentCall,
  { status, body }: KeptAnswer,
): Promise<KeptAnswer | null> {
  try {
    const kept = await db.pool.query(KEEP, [...idOf(call), status, body]);
    return kept.rowCount === 0 ? await findAnswer(db, call) : null;
  } catch (error) {
    log.error({ err: error, operation: call.operation }, 'answer could not be kept');
    return null;
  }
}

/**
 * After a failed call, returns the response that was stored anyway because only the confirmation of its commit was lost.
 * Otherwise releases the call for another try. If the database is unreachable, its lease expires.
 */
async function keptInSpite({ db, log }: OnceServices, call: IdempotentCall): Promise<KeptAnswer | null> {
  try {
    const { rowCount } = await db.pool.query(FORGET, idOf(call));
    return rowCount === 0 ? await findAnswer(db, call) : null;
  } catch (error) {
    log.warn({ err: error, operation: call.operation }, 'idempotent call could not be given free');
    return null;
  }
}

interface OnceServices {
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
  services: OnceServices,
  call: IdempotentCall,
  run: (keep: KeepAnswer) => Promise<KeptAnswer>,
  options: { patienceMs?: number } = {},
): Promise<KeptAnswer & { replayed: boolean }> {
  const { db } = services;
  const found = await takeOrFind(db, call, options.patienceMs ?? PATIENCE_MS);
  if (found) return { ...found, replayed: true };
  const renewal = setInterval(
    () => void db.pool.query(RENEW, idOf(call)).catch(() => undefined),
    (LEASE_SECONDS * 1000) / 3,
  );
  let kept = false;
  const keep: KeepAnswer = async (client, output) => {
    const { rowCount } = await client.query(KEEP, [...idOf(call), 200, JSON.stringify(output)]);
    if (rowCount === 0) throw new ServiceError('conflict', because('request.answeredMeanwhile'));
    kept = true;
  };
  try {
    const answer = await run(keep);
    const stays = answer.status < 400 ? kept : false;
    const other = stays ? null : await keepAfterwards(services, call, answer);
    return other ? { ...other, replayed: true } : { ...answer, replayed: false };
  } catch (error) {
    const answer = await keptInSpite(services, call);
    if (answer === null) throw error;
    return { ...answer, replayed: false };
  } finally {
    clearInterval(renewal);
  }
}

/** Deletes expired responses. */
export async function deleteExpiredAnswers(db: Database): Promise<number> {
  const { rowCount } = await db.pool.query(
    `DELETE FROM idempotent_requests WHERE created_at < now() - interval '${KEPT_HOURS} hours'`,
  );
  return rowCount ?? 0;
}
