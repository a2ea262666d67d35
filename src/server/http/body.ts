import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../core/errors/errors';
import { because } from '../core/errors/reason';
import { ClientGone } from './exchange';

const CONTENT_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** @throws ServiceError `unsupported_media_type` for anything but uncompressed JSON in UTF-8 */
export function requireJson(req: IncomingMessage): void {
  const type = req.headers['content-type'];
  if (type === undefined || !CONTENT_TYPE.test(type)) {
    throw new ServiceError('unsupported_media_type', because('request.jsonType'));
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', because('request.noEncoding'));
  }
}

/** How large a body may be, and how long it may take to arrive. */
export interface BodyLimit {
  bytes: number;
  /** From the start of reading to its end. */
  timeoutMs: number;
  /** For large uploads: every such number of bytes that arrives extends the time limit by a second. */
  bytesPerSecond?: number;
}

/** The limits that a procedure's `bodyLimit` names. */
export type BodyLimits = Record<'common' | 'csv' | 'import', BodyLimit>;

/** The error for a client that sends its body too slowly. */
export function tooSlow({ timeoutMs, bytesPerSecond }: BodyLimit): ServiceError {
  const seconds = timeoutMs / 1000;
  const message =
    bytesPerSecond === undefined
      ? because('service.bodyLate', { seconds })
      : because('service.bodySlow', { seconds, rate: bytesPerSecond });
  return new ServiceError('request_timeout', message, { headers: { Connection: 'close' } });
}

/**
 * Calls `late` once if a body takes longer than its limit allows.
 *
 * @param received returns the number of bytes so far
 * @returns a function that stops watching
 */
function watchPace(limit: BodyLimit, received: () => number, late: () => void): () => void {
  const started = performance.now();
  const check = () => {
    const earned = limit.bytesPerSecond ? (received() / limit.bytesPerSecond) * 1000 : 0;
    const left = limit.timeoutMs + earned - (performance.now() - started);
    if (left <= 0) late();
    else timer = setTimeout(check, left);
  };
  let timer = setTimeout(check, limit.timeoutMs);
  return () => clearTimeout(timer);
}

/** Calls `late` if a body read by other code, such as oidc-provider, does not arrive in time. */
export function watchBody(req: IncomingMessage, limit: BodyLimit, late: () => void): void {
  if (req.complete) return;
  const stop = watchPace(
    limit,
    () => 0,
    () => {
      if (!req.complete && !req.destroyed) late();
    },
  );
  req.once('end', stop).once('close', stop);
}

/** The error for a body that exceeds its limit. */
export const tooLarge = ({ bytes }: BodyLimit): ServiceError =>
  new ServiceError('payload_too_large', because('service.bodyTooLarge', { count: bytes }));

/**
 * Reads a body within its limit.
 *
 * @throws ServiceError `payload_too_large`, at once if Content-Length exceeds the limit; `request_timeout` if it arrives too
 * slowly; ClientGone
 */
export async function readBody(req: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit.bytes) throw tooLarge(limit);
  const known = Number(req.headers['content-length']);
  // With a known length, a large body is in memory once instead of both in pieces and whole.
  const whole = known > 0 ? Buffer.allocUnsafeSlow(known) : null;
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      stopWatch();
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      if (error) reject(error);
      else resolve();
    };
    const onData = (chunk: Buffer) => {
      if (size + chunk.length > limit.bytes) return settle(tooLarge(limit));
      if (whole) chunk.copy(whole, size);
      else chunks.push(chunk);
      size += chunk.length;
    };
    const onEnd = () => settle();
    const onGone = () => settle(new ClientGone('The client closed the connection.'));
    const stopWatch = watchPace(
      limit,
      () => size,
      () => settle(tooSlow(limit)),
    );
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
  return whole ? whole.subarray(0, size) : Buffer.concat(chunks);
}
