import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Operation } from '../api/operations';
import type { Tool } from '../api/tool-list';
import { methodNotAllowed, ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { FIXED_PATHS } from '../core/http/fixed-paths';
import { type Handler, respondWithError } from '../http/api';
import { type BodyLimit, type BodyLimits, readBody } from '../http/body';
import { countKeyUse, findKey, requireKey } from '../http/caller/authentication';
import type { Exchange } from '../http/exchange';
import { sendResponse } from '../http/response';
import type { RunOperation } from '../http/run-operation';
import { scopeRefusal } from '../identity/scope';
import type { Services } from '../trpc/context';
import { NO_ARGUMENTS, parseMessage, type ReceivedMessage } from './received-message';
import { findInvalidRequest } from './request-check';
import { callTool, InvalidParamsError, type OfferedTool, toMcpTool } from './tools';

interface McpOptions {
  version: string;
  appUrl: string;
  corsOrigins: readonly string[];
  tools: readonly Tool[];
  operations: readonly Operation[];
  runOperation: RunOperation;
  limits: BodyLimits;
}

const INSTRUCTIONS =
  'The back office of marketplace sellers. Calls need the header X-Api-Key. A failed call returns the error envelope of the ' +
  'HTTP API as JSON text; its message says what to do.';

/**
 * Refuses origins that are not allowed, which protects against DNS rebinding.
 *
 * @throws ServiceError `forbidden`
 */
function requireAllowedOrigin({ req }: Exchange, allowedOrigins: ReadonlySet<string>): void {
  const { origin } = req.headers;
  if (origin === undefined || allowedOrigins.has(origin)) return;
  throw new ServiceError('forbidden', createReason('request.origin'));
}

/** Accepts only POST: the server is stateless, so there is no stream to open with GET and no session to end with DELETE. */
function requirePost({ req }: Exchange): void {
  if (req.method === 'POST') return;
  throw methodNotAllowed(['POST']);
}

/**
 * Returns the limit for the body: the common one or, if Content-Length exceeds it and the key may import, the import's. A larger
 * body than the common limit requires a valid key, and counts as a use of it before it is read.
 *
 * @throws ServiceError `unauthorized`, `forbidden` or `rate_limited`
 */
async function chooseBodyLimit(
  services: Services,
  exchange: Exchange,
  { limits, operations }: Pick<McpOptions, 'limits' | 'operations'>,
): Promise<BodyLimit> {
  if (Number(exchange.req.headers['content-length'] ?? 0) <= limits.common.bytes) return limits.common;
  const key = await requireKey(services, exchange);
  await countKeyUse(services, exchange, key);
  const mayImport = operations.some(
    ({ bodyLimit, operationId }) => bodyLimit === 'import' && scopeRefusal(key, operationId) === null,
  );
  return mayImport ? limits.import : limits.common;
}

/**
 * Counts a message that has run no operation as a use of its key; operations count themselves. Ignores an invalid key, since
 * listing the tools needs none, and unauthenticated-limit.ts counts it.
 *
 * @throws ServiceError `rate_limited`; `forbidden` if the message comes from outside the key's ranges
 */
async function countMessage(services: Services, exchange: Exchange): Promise<void> {
  if (exchange.operationRuns.length > 0) return;
  const key = exchange.key ?? (await findKey(services, exchange));
  if (key) await countKeyUse(services, exchange, key);
}

/** A response to a message. */
interface MessageResponse {
  status: number;
  /** JSON text. */
  body: string;
}

/** Returns a JSON-RPC error: 400 for a message that is no request, and 200 with the request's id for one that is. */
function refusalOf(code: ErrorCode, message: string, id: string | number | null = null): MessageResponse {
  const errorResponse = { jsonrpc: '2.0', error: { code, message }, id };
  return { status: id === null ? 400 : 200, body: JSON.stringify(errorResponse) };
}

/**
 * Drops the member with which a client asks for a call to run as a task. A server without tasks must ignore it (MCP 2025-11-25,
 * Tasks), but the SDK refuses the call.
 */
function dropTask(message: unknown): void {
  const { params } = (message ?? {}) as { params?: unknown };
  if (typeof params === 'object' && params !== null) delete (params as { task?: unknown }).task;
}

/** Returns the request for the SDK's transport, with only the headers that it reads; the message is passed separately. */
function createTransportRequest({ req }: Exchange): Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}

/** The list that the SDK returns. It is replaced by our own, because the SDK would serialize the whole list for each request. */
const EMPTY_TOOL_LIST_JSON = JSON.stringify({ tools: [] });

/**
 * Creates the MCP server (Streamable HTTP, stateless, JSON responses). Each tool runs an operation as the REST API does, with the
 * caller's own credentials and limits. Listing the tools needs no key.
 */
export function createMcpHandler(services: Services, options: McpOptions): Handler {
  const allowedOrigins = new Set([new URL(options.appUrl).origin, ...options.corsOrigins]);
  const operationById = new Map(options.operations.map((operation) => [operation.operationId, operation]));
  const offeredTools = new Map<string, OfferedTool>();
  for (const tool of options.tools) {
    const operation = operationById.get(tool.name);
    if (operation) offeredTools.set(tool.name, { operation, definition: toMcpTool(tool, operation) });
  }
  const toolListJson = JSON.stringify({
    tools: [...offeredTools.values()].map(({ definition }) => definition),
  });
  const toolContext = { services, runOperation: options.runOperation, limits: options.limits };
  // Shared, because each server would otherwise create its own.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();

  const createServer = (exchange: Exchange, { sentArguments }: ReceivedMessage): Server => {
    const server = new Server(
      { name: 'brickdesk', version: options.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => JSON.parse(EMPTY_TOOL_LIST_JSON));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      const tool = offeredTools.get(params.name);
      if (!tool)
        throw new InvalidParamsError('There is no tool with this name. tools/list returns all tools.');
      if (params.arguments === undefined) return callTool(toolContext, exchange, tool, NO_ARGUMENTS);
      if (!sentArguments)
        throw new InvalidParamsError(
          'params.arguments: must be sent once, and its name without escape sequences',
        );
      return callTool(toolContext, exchange, tool, sentArguments);
    });
    return server;
  };

  const respondTo = async (exchange: Exchange, body: Buffer): Promise<MessageResponse> => {
    let received: ReceivedMessage;
    try {
      received = await parseMessage(body, options.limits);
    } catch (thrown) {
      if (!(thrown instanceof SyntaxError)) throw thrown;
      return refusalOf(ErrorCode.ParseError, 'Parse error: the body is not JSON.');
    }
    const { message } = received;
    if (Array.isArray(message))
      return refusalOf(ErrorCode.InvalidRequest, 'Send one message at a time. Batches are not supported.');
    const invalidRequest = findInvalidRequest(message);
    if (invalidRequest) return refusalOf(ErrorCode.InvalidParams, invalidRequest.message, invalidRequest.id);
    dropTask(message);
    const server = createServer(exchange, received);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const response = await transport.handleRequest(createTransportRequest(exchange), {
        parsedBody: message,
      });
      const text = await response.text();
      const isToolList = (message as { method?: unknown } | null)?.method === 'tools/list';
      return {
        status: response.status,
        body: isToolList ? text.replace(EMPTY_TOOL_LIST_JSON, () => toolListJson) : text,
      };
    } finally {
      await server.close();
    }
  };

  return async (exchange) => {
    exchange.route = FIXED_PATHS.mcp;
    try {
      requireAllowedOrigin(exchange, allowedOrigins);
      requirePost(exchange);
      const limit = await chooseBodyLimit(services, exchange, options);
      const requestBody = await readBody(exchange.req, limit);
      let response: MessageResponse;
      try {
        response = await respondTo(exchange, requestBody);
      } finally {
        // Also counts a message that cannot be parsed. Only now is it known that no operation has counted it.
        await countMessage(services, exchange);
      }
      sendResponse(exchange, response.status, response.body);
    } catch (thrown) {
      respondWithError(exchange, services, thrown);
    }
  };
}
