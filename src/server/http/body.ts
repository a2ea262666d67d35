import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../core/errors';
import { ClientGone } from './exchange';

const CONTENT_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** @throws ServiceError `unsupported_media_type` for anything but JSON in UTF-8, not compressed */
export function requireJson(req: IncomingMessage): void {
  const type = req.headers['content-type'];
  if (type === undefined || !CONTENT_TYPE.test(type)) {
    throw new ServiceError(
      'unsupported_media_type',
      'Send the body as Content-Type: application/json, in UTF-8.',
    );
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body without Content-Encoding.');
  }
}

/**
 * Reads a body, up to `limit` bytes.
 *
 * @throws ServiceError `payload_too_large`, at once where Content-Length says so; ClientGone
 */
export async function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new ServiceError(
      'payload_too_large',
      `The body is larger than ${limit} bytes. Send it in several requests.`,
    );
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const known = Number(req.headers['content-length']);
  // Where the length is known a large body is in memory once, not in pieces and whole.
  const whole = known > 0 ? Buffer.allocUnsafeSlow(known) : null;
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      if (error) reject(error);
      else resolve();
    };
    const onData = (chunk: Buffer) => {
      if (size + chunk.length > limit) return settle(tooLarge());
      if (whole) chunk.copy(whole, size);
      else chunks.push(chunk);
      size += chunk.length;
    };
    const onEnd = () => settle();
    const onGone = () => settle(new ClientGone('The client closed the connection.'));
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
  return whole ? whole.subarray(0, size) : Buffer.concat(chunks);
}
