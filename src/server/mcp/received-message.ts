import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { requireShallow } from '../core/text/json-limits';
import { decodeJson, isJsonObject } from '../core/text/json-object';
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

/** The arguments of a call. */
export interface SentArguments {
  /** The JSON that was sent, in UTF-8. */
  json: Uint8Array;
  /** Null if they are so large that they are parsed in a worker thread. */
  values: Record<string, unknown> | null;
}

/** The arguments of a call that was sent without any. */
export const NO_ARGUMENTS: SentArguments = { json: Buffer.from('{}'), values: {} };

/** A received message. */
export interface ReceivedMessage {
  /**
   * With an empty object in place of the call's arguments: the SDK would check each of them several times, which takes longer than
   * parsing them, and would drop `__proto__`.
   */
  message: unknown;
  /** Null if the message has none, or more than once, or if they are not an object. */
  sentArguments: SentArguments | null;
}

/** Puts an empty object in place of a call's arguments, and returns them. Anything but an object stays, so that the SDK refuses it. */
function takeArguments(message: unknown): Record<string, unknown> | null {
  if (!isJsonObject(message) || !isJsonObject(message.params) || !isJsonObject(message.params.arguments))
    return null;
  const values = message.params.arguments;
  message.params.arguments = {};
  return values;
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
  const message = JSON.parse(decodeJson(bodyToParse));
  const values = takeArguments(message);
  if (!span || !values) return { message, sentArguments: null };
  return {
    message,
    sentArguments: { json: trimJson(body.subarray(span.start, span.end)), values: isLarge ? null : values },
  };
}
