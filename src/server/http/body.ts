import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../core/errors';
import { because } from '../core/reason';
import { ClientGone } from './exchange';

const CONTENT_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** @throws ServiceError `unsupported_media_type` for anything but JSON in UTF-8, not compressed */
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

/** How large a body may be, and how long its sender may take. */
export interface BodyLimit {
  bytes: number;
  /** From the beginning of the reading to its end. */
  timeoutMs: number;
  /** For large uploads: each second's worth of bytes that has arrived gives another second. */
  bytesPerSecond?: number;
}

/** The limits that a procedure's `bodyLimit` names. */
export type BodyLimits = Record<'common' | 'csv' | 'import', BodyLimit>;

/** The end of a request whose sender holds its body back. */
export function tooSlow({ timeoutMs, bytesPerSecond }: BodyLimit): ServiceError {
  const seconds = timeoutMs / 1000;
  const message =
    bytesPerSecond === undefined
      ? because('service.bodyLate', { seconds })
      : because('service.bodySlow', { seconds, rate: bytesPerSecond });
  return new ServiceError('request_timeout', message, { headers: { Connection: 'close' } });
}

/**
 * Calls `late` once where the sender of a body takes longer than it may.
 *
 * @param received tells how many bytes there are so far
 * @returns what ends the watch
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

/** Calls `late` where a body that somebody else reads, such as oidc-provider, has not arrived in time. */
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

/** The refusal of a body that is larger than its limit. */
export const tooLarge = ({ bytes }: BodyLimit): ServiceError =>
  new ServiceError('payload_too_large', because('service.bodyTooLarge', { count: bytes }));

/**
 * Reads a body within its limit.
 *
 * @throws ServiceError `payload_too_large`, at once where Content-Length says so; `request_timeout` where it arrives too slowly;
 * ClientGone
 */
export async function readBody(req: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit.bytes) throw tooLarge(limit);
  const known = Number(req.headers['content-length']);
  // Where the length is known a large body is in memory once, not in pieces and whole.
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
