import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Tool } from '../api/tool-list';
import { ServiceError } from '../core/errors';
import { sendAnswer } from '../http/answer';
import { answerError, type Handler } from '../http/api';
import { readBody } from '../http/body';
import type { Exchange } from '../http/exchange';
import { type BodyLimits, requireKey } from '../http/guard';
import type { Services } from '../trpc/context';
import { callTool, mcpTool } from './tools';

export const MCP_PATH = '/mcp';

interface McpOptions {
  version: string;
  appUrl: string;
  corsOrigins: readonly string[];
  tools: readonly Tool[];
  /** What answers the REST operations. */
  api: Handler;
  limits: BodyLimits;
}

const INSTRUCTIONS =
  'The back office of marketplace sellers. Calls need the header X-Api-Key. A failed call answers the error envelope of the ' +
  'HTTP API as JSON text; its message says what to do.';

/** The answer to a request with an Origin that may not call: some page in a browser, perhaps over a rebound host name. */
function requireOrigin({ req }: Exchange, allowed: ReadonlySet<string>): void {
  const { origin } = req.headers;
  if (origin === undefined || allowed.has(origin)) return;
  throw new ServiceError(
    'forbidden',
    'Pages of this origin may not call. CORS_ORIGINS lists those that may.',
  );
}

/** Stateless: there is no stream to open with GET and no session to end with DELETE. */
function requirePost({ req }: Exchange): void {
  if (req.method === 'POST') return;
  throw new ServiceError('method_not_allowed', 'Use POST for this path.', { headers: { Allow: 'POST' } });
}

/** An import may be large; nobody without a key may have the service read that much. */
async function bodyLimit(services: Services, exchange: Exchange, limits: BodyLimits): Promise<number> {
  if (Number(exchange.req.headers['content-length'] ?? 0) <= limits.common) return limits.common;
  await requireKey(services, exchange);
  return limits.import;
}

/** The request for the SDK's transport, with only those headers that it reads. */
function transportRequest({ req }: Exchange, body: Buffer): Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, body: Uint8Array.from(body) });
}

/**
 * The MCP server (Streamable HTTP, stateless, JSON answers): the tools of the tool list, called through the REST operations
 * with the caller's own credentials, limits included. Listing them needs no key, as the list is public anyway.
 */
export function createMcp(services: Services, options: McpOptions): Handler {
  const origins = new Set([new URL(options.appUrl).origin, ...options.corsOrigins]);
  const byName = new Map(options.tools.map((tool) => [tool.name, tool]));
  const tools = options.tools.map(mcpTool);
  // Made once: a server makes one of its own otherwise, at every request.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();

  const serverFor = (exchange: Exchange): Server => {
    const server = new Server(
      { name: 'brickdesk', version: options.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      const tool = byName.get(params.name);
      if (!tool)
        throw new McpError(ErrorCode.InvalidParams, 'There is no such tool. tools/list has all of them.');
      return callTool(options.api, exchange, tool, params.arguments ?? {});
    });
    return server;
  };

  return async (exchange) => {
    exchange.route = MCP_PATH;
    try {
      requireOrigin(exchange, origins);
      requirePost(exchange);
      const limit = await bodyLimit(services, exchange, options.limits);
      const body = await readBody(exchange.req, limit);
      const server = serverFor(exchange);
      const transport = new WebStandardStreamableHTTPServerTransport({
        enableJsonResponse: true,
        // Larger than what has been read already: the limit above is the one that holds.
        maxRequestBodySize: limit + 1,
      });
      await server.connect(transport);
      try {
        const response = await transport.handleRequest(transportRequest(exchange, body));
        sendAnswer(exchange, response.status, await response.text());
      } finally {
        await server.close();
      }
    } catch (thrown) {
      answerError(exchange, services, thrown);
    }
  };
}
