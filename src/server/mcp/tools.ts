import {
  type CallToolResult,
  ErrorCode,
  type Tool as McpTool,
  type ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import { parse, stringify } from 'lossless-json';
import type { Operation } from '../api/operations';
import type { Tool } from '../api/tool-list';
import { invalidField, type ServiceError, validationError } from '../core/errors/errors';
import { createReason, type Problem, problemAt } from '../core/errors/reason';
import { decodeJson } from '../core/text/json-object';
import { logFailure } from '../http/api';
import { type BodyLimits, tooLargeError } from '../http/body';
import { CLIENT_GONE_STATUS, type Exchange, isClientGone } from '../http/exchange';
import { errorJson } from '../http/response';
import type { RunOperation } from '../http/run-operation';
import type { Services } from '../trpc/context';
import type { Effect } from '../trpc/init';
import { publicError } from '../trpc/public-error';
import type { SentArguments } from './received-message';

const HINTS_BY_EFFECT: Record<Effect, ToolAnnotations> = {
  reads: { readOnlyHint: true, idempotentHint: true },
  appends: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  merges: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/**
 * A call that the protocol refuses. Not the SDK's McpError, which writes the code into the message too, as every client does with
 * the message that it gets.
 */
export class InvalidParamsError extends Error {
  override readonly name = 'InvalidParamsError';
  readonly code = ErrorCode.InvalidParams;
}

/** Describes a tool in MCP's format. MCP's specification allows an output schema only for objects. */
export function toMcpTool(tool: Tool, { effect, callsUpstream }: Operation): McpTool {
  const { name, description, inputSchema, outputSchema } = tool;
  return {
    name,
    description,
    inputSchema: inputSchema as McpTool['inputSchema'],
    ...(outputSchema.type === 'object' ? { outputSchema: outputSchema as McpTool['outputSchema'] } : {}),
    annotations: { ...HINTS_BY_EFFECT[effect], openWorldHint: callsUpstream },
  };
}

/** An operation and its description in tools/list. */
export interface OfferedTool {
  operation: Operation;
  definition: McpTool;
}

/** What {@link callTool} needs to run tools. */
export interface ToolContext {
  services: Services;
  runOperation: RunOperation;
  limits: BodyLimits;
}

/** The headers of an error that are passed on to the caller of a tool (docs/api-conventions.md). */
const PASSED_ON_HEADER_PATTERN = /^(?:RateLimit-|Retry-After$)/;

/**
 * The maximum number of arguments that become query parameters. Over REST, the limit on headers bounds their number; a message of
 * 1 MiB has room for a hundred thousand, which would hold up all other requests.
 */
const MAX_PARAMETERS = 1_000;

type Arguments = Record<string, unknown>;

/**
 * Finds the arguments whose JSON type is not the parameter's. They are refused here, because as query parameters they would be
 * text, and null would name the parcel "null". Arguments without a declared type are left to the operation.
 */
function findTypeProblems(args: Arguments, { properties = {} }: McpTool['inputSchema']): Problem[] {
  return Object.entries(args).flatMap(([path, value]) => {
    const { type } = (Object.hasOwn(properties, path) ? properties[path] : {}) as { type?: string };
    const fits = typeof value === (type === 'integer' ? 'number' : 'string');
    if (type === undefined || fits) return [];
    const kind = createReason(type === 'integer' ? 'kind.whole' : 'kind.text');
    return [problemAt(path, createReason('type.kinds', { kinds: [kind] }))];
  });
}

/**
 * Returns the arguments as query parameters, for an operation without a body. Numbers keep the digits that were sent, unless they
 * are equal to an integer such as `5.0`, which a query has to spell `5`.
 */
function parametersOf({ json, values }: { json: Uint8Array; values: Arguments }): URLSearchParams {
  let exactValues: Arguments | undefined;
  const toText = (name: string, value: unknown): string => {
    if (typeof value === 'string') return value;
    if (Number.isSafeInteger(value)) return String(value);
    // The last of two equal names counts, as it does for JSON.parse.
    exactValues ??= parse(decodeJson(json), null, {
      onDuplicateKey: ({ newValue }) => newValue,
    }) as Arguments;
    return stringify(exactValues[name]) ?? JSON.stringify(value);
  };
  return new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, toText(name, value)]),
  );
}

/**
 * Runs a tool's operation with the caller's credentials. An error is returned as the API's error envelope, in JSON.
 *
 * @throws InvalidParamsError if the arguments are large and the tool has no body
 */
export async function callTool(
  { services, runOperation, limits }: ToolContext,
  exchange: Exchange,
  { operation, definition }: OfferedTool,
  { json, values }: SentArguments,
): Promise<CallToolResult> {
  const { method, path, bodyLimit } = operation;
  const usesQueryString = method === 'GET';
  if (usesQueryString && values === null)
    throw new InvalidParamsError('The arguments are too large for this tool. Send less.');
  const queryValues = usesQueryString ? values : null;
  const hasTooManyArguments = queryValues !== null && Object.keys(queryValues).length > MAX_PARAMETERS;
  const parameters =
    queryValues !== null && !hasTooManyArguments
      ? parametersOf({ json, values: queryValues })
      : new URLSearchParams();
  const readBody = async (): Promise<Uint8Array> => {
    // Refused here, like a body that is too large, because the caller has been authorized by now and the call counted.
    if (hasTooManyArguments)
      throw invalidField('arguments', createReason('type.manyItems', { count: MAX_PARAMETERS }));
    if (queryValues !== null) {
      const problems = findTypeProblems(queryValues, definition.inputSchema);
      if (problems.length > 0) throw validationError(problems);
      return new Uint8Array();
    }
    if (json.byteLength > limits[bodyLimit].bytes) throw tooLargeError(limits[bodyLimit]);
    return json;
  };
  const startMs = performance.now();
  const recordRun = (status: number, error: ServiceError | null = null) =>
    exchange.operationRuns.push({
      method,
      route: path,
      status,
      durationMs: performance.now() - startMs,
      error,
    });
  try {
    const { body } = await runOperation(exchange, { operation, method, parameters, readBody });
    recordRun(200);
    const output = JSON.parse(body);
    // If the tool has an output schema, MCP requires structured content even if the caller wants plain text.
    const text = operation.offersPlainText && parameters.get('format') === 'text' ? output.data.text : body;
    const structuredResult = definition.outputSchema ? { structuredContent: output } : {};
    return { content: [{ type: 'text', text }], ...structuredResult };
  } catch (thrown) {
    if (isClientGone(thrown)) {
      // The client can no longer receive a result.
      recordRun(CLIENT_GONE_STATUS);
      return { isError: true, content: [] };
    }
    const error = publicError(thrown);
    logFailure(exchange, path, services, error, thrown);
    recordRun(error.status, error);
    for (const [name, value] of Object.entries(error.headers))
      if (PASSED_ON_HEADER_PATTERN.test(name)) exchange.res.setHeader(name, value);
    return { isError: true, content: [{ type: 'text', text: errorJson(exchange, error) }] };
  }
}
