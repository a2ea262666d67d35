import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { requireShallow } from '../core/text/json-limits';
import { decodeJson } from '../core/text/json-object';
import type { BodyLimits } from '../http/body';
import { findArgumentsSpan } from './arguments-span';

const JSON_SPACE = new Set(Buffer.from(' \t\r\n'));

/** Returns JSON text without the white space around it, which is not part of what an operation stores. */
function trimJson(json: Uint8Array): Uint8Array {
  let [start, end] = [0, json.length];
  while (start < end && JSON_SPACE.has(json[start]!)) start++;
  while (end > start && JSON_SPACE.has(json[end - 1]!)) end--;
  return json.subarray(start, end);
}

/** A received message. If it is large, its arguments are left unparsed: `message` has an empty object in their place. */
export interface ReceivedMessage {
  message: unknown;
  isLarge: boolean;
  /** The arguments as they were sent; null if the message has none, or more than once. */
  argumentsJson: Uint8Array | null;
}

/**
 * Parses a message. If it is larger than the common limit, its arguments are not parsed: the operation does that in a worker
 * thread, within its own limit. Any other operation with a body parses them once more, as it parses the body of a REST request:
 * serializing the parsed ones would change numbers that JavaScript cannot represent.
 *
 * @throws ServiceError `validation_failed` or `payload_too_large`; SyntaxError
 */
export async function parseMessage(body: Buffer, limits: BodyLimits): Promise<ReceivedMessage> {
  let bodyToParse = body;
  const span = await findArgumentsSpan(body);
  const isLarge = body.byteLength > limits.common.bytes;
  if (isLarge) {
    if (span) {
      const { start, end } = span;
      bodyToParse = Buffer.concat([body.subarray(0, start), Buffer.from('{}'), body.subarray(end)]);
    }
    if (bodyToParse.byteLength > limits.common.bytes)
      throw new ServiceError(
        'payload_too_large',
        createReason('request.messageSize', { count: limits.common.bytes }),
      );
  }
  requireShallow(bodyToParse);
  const argumentsJson = span && trimJson(body.subarray(span.start, span.end));
  return { message: JSON.parse(decodeJson(bodyToParse)), isLarge, argumentsJson };
}
