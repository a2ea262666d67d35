import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { ClientGoneError } from './exchange';
import { sendContinue } from './expect-continue';

/** No two `\s*` can match the same spaces: otherwise, a long run of them would take quadratic time. */
const CONTENT_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*(?:;\s*)?)?)?$/i;

/** @throws ServiceError `unsupported_media_type` for anything but uncompressed JSON in UTF-8 */
export function requireJson(req: IncomingMessage): void {
  const type = req.headers['content-type'];
  if (type === undefined || !CONTENT_TYPE.test(type)) {
    throw new ServiceError('unsupported_media_type', createReason('request.jsonType'));
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', createReason('request.noEncoding'));
  }
}

/** How large a body may be, and how long it may take to arrive. */
export interface BodyLimit {
  bytes: number;
  /** How long reading may take, from start to end. */
  timeoutMs: number;
  /** For large uploads: the time limit grows by one second for every `bytesPerSecond` bytes received. */
  bytesPerSecond?: number;
}

/** Body limits by the name used in a procedure's `bodyLimit`. */
export type BodyLimits = Record<'common' | 'csv' | 'import', BodyLimit>;

/** Returns the error for a client that sends its body too slowly. */
export function tooSlowError({ timeoutMs, bytesPerSecond }: BodyLimit): ServiceError {
  const seconds = timeoutMs / 1000;
  const reason =
    bytesPerSecond === undefined
      ? createReason('service.bodyLate', { seconds })
      : createReason('service.bodySlow', { seconds, rate: bytesPerSecond });
  return new ServiceError('request_timeout', reason, { headers: { Connection: 'close' } });
}

/**
 * Calls `onTimeout` once if a body takes longer than its limit allows.
 *
 * @param receivedBytes returns the number of bytes received so far
 * @returns a function that stops watching
 */
function watchPace(limit: BodyLimit, receivedBytes: () => number, onTimeout: () => void): () => void {
  const startedAtMs = performance.now();
  const checkPace = () => {
    const extraMs = limit.bytesPerSecond ? (receivedBytes() / limit.bytesPerSecond) * 1000 : 0;
    const remainingMs = limit.timeoutMs + extraMs - (performance.now() - startedAtMs);
    if (remainingMs <= 0) onTimeout();
    else timer = setTimeout(checkPace, remainingMs);
  };
  let timer = setTimeout(checkPace, limit.timeoutMs);
  return () => clearTimeout(timer);
}

/** Watches a body that other code, such as oidc-provider, reads. Calls `onTimeout` if the body does not arrive in time. */
export function watchBody(req: IncomingMessage, limit: BodyLimit, onTimeout: () => void): void {
  if (req.complete) return;
  sendContinue(req);
  const stopWatching = watchPace(
    limit,
    () => 0,
    () => {
      if (!req.complete && !req.destroyed) onTimeout();
    },
  );
  req.once('end', stopWatching).once('close', stopWatching);
}

/** Returns the error for a body that exceeds its limit. */
export const tooLargeError = ({ bytes }: BodyLimit): ServiceError =>
  new ServiceError('payload_too_large', createReason('service.bodyTooLarge', { count: bytes }));

/**
 * Reads a body within its limit.
 *
 * @throws ServiceError `payload_too_large`, without reading anything if Content-Length exceeds the limit; `request_timeout` if
 * the body arrives too slowly
 * @throws ClientGoneError if the client disconnects
 */
export async function readBody(req: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limit.bytes) throw tooLargeError(limit);
  const contentLength = Number(req.headers['content-length']);
  // If the length is known, chunks are copied into one buffer as they arrive, so that a large body is not held in memory twice.
  const buffer = contentLength > 0 ? Buffer.allocUnsafeSlow(contentLength) : null;
  const chunks: Buffer[] = [];
  let receivedSize = 0;
  await new Promise<void>((resolve, reject) => {
    const finishReading = (error?: Error) => {
      stopWatching();
      req.off('data', onData).off('end', onEnd).off('error', onDisconnect).off('close', onDisconnect);
      if (error) reject(error);
      else resolve();
    };
    const onData = (chunk: Buffer) => {
      if (receivedSize + chunk.length > limit.bytes) return finishReading(tooLargeError(limit));
      if (buffer) chunk.copy(buffer, receivedSize);
      else chunks.push(chunk);
      receivedSize += chunk.length;
    };
    const onEnd = () => finishReading();
    const onDisconnect = () => finishReading(new ClientGoneError('The client closed the connection.'));
    const stopWatching = watchPace(
      limit,
      () => receivedSize,
      () => finishReading(tooSlowError(limit)),
    );
    req.on('data', onData).on('end', onEnd).on('error', onDisconnect).on('close', onDisconnect);
    sendContinue(req);
  });
  return buffer ? buffer.subarray(0, receivedSize) : Buffer.concat(chunks);
}
