import {
  type CallToolResult,
  ErrorCode,
  McpError,
  type Tool as McpTool,
  type ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../api/tool-list';
import type { Handler } from '../http/api';
import type { Exchange } from '../http/exchange';
import { runInProcess } from './in-process';

/** What a tool does that its method does not tell. The others read where they are GET, and change things where they are not. */
const EFFECTS: Record<string, ToolAnnotations> = {
  get_api_v1_marketplace: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  post_api_v1_marketplace: { destructiveHint: false, idempotentHint: false },
  // Asks the carrier, and merges what it answers.
  get_api_logistics: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  post_api_v1_tracks: { destructiveHint: false, idempotentHint: true },
  // Asks the text provider, and records the reply.
  post_api_marketplace_message: { destructiveHint: false, idempotentHint: false, openWorldHint: true },
  // These replace stored values; the same again changes nothing.
  post_api_shop_statistics: { destructiveHint: true, idempotentHint: true },
  post_api_product_statistics: { destructiveHint: true, idempotentHint: true },
  post_api_orders_import: { destructiveHint: true, idempotentHint: true },
};

function annotationsOf({ name, method }: Tool): ToolAnnotations {
  const usual: ToolAnnotations =
    method === 'GET' ? { readOnlyHint: true, idempotentHint: true } : { readOnlyHint: false };
  return { ...usual, openWorldHint: false, ...EFFECTS[name] };
}

/** A tool of the list as MCP names it. An output that is no object has no schema there, by its specification. */
export function mcpTool(tool: Tool): McpTool {
  const { name, description, inputSchema, outputSchema } = tool;
  return {
    name,
    description,
    inputSchema: inputSchema as McpTool['inputSchema'],
    ...(outputSchema.type === 'object' ? { outputSchema: outputSchema as McpTool['outputSchema'] } : {}),
    annotations: annotationsOf(tool),
  };
}

type Arguments = Record<string, unknown>;

function queryOf(given: Arguments): string {
  const pairs = Object.entries(given).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return String(new URLSearchParams(pairs));
}

const TRACKING_TEXT = 'get_api_v1_tracking_text';
const PASSED_ON = ['x-api-key', 'authorization'];
const HANDED_BACK = /^(ratelimit-|retry-after$)/;

/**
 * Runs a tool as the REST operation that it is, with the caller's credentials. An error is the operation's own envelope, as
 * JSON text.
 *
 * @param given the arguments, or, where they are large, their JSON in UTF-8, which only tools with a body take
 */
export async function callTool(
  api: Handler,
  outer: Exchange,
  tool: Tool,
  given: Arguments | Uint8Array,
): Promise<CallToolResult> {
  const reads = tool.method === 'GET';
  const parameters = given instanceof Uint8Array ? {} : given;
  if (reads && given instanceof Uint8Array)
    throw new McpError(ErrorCode.InvalidParams, 'The arguments are too large for this tool. Send less.');
  // The text is a member of the JSON answer too, and a tool with an output schema must answer by it.
  const asText = parameters.format === 'text' && tool.name === TRACKING_TEXT;
  const credentials = PASSED_ON.map((name) => [name, outer.req.headers[name]]);
  const answer = await runInProcess(api, outer, {
    method: tool.method,
    path: tool.path,
    query: reads ? queryOf(asText ? { ...parameters, format: 'json' } : parameters) : '',
    headers: { ...Object.fromEntries(credentials), ...(reads ? {} : { 'content-type': 'application/json' }) },
    body: reads ? undefined : given instanceof Uint8Array ? given : Buffer.from(JSON.stringify(given)),
  });
  for (const [name, value] of answer.headers) if (HANDED_BACK.test(name)) outer.res.setHeader(name, value);
  if (answer.status !== 200) return { isError: true, content: [{ type: 'text', text: answer.body }] };
  const output = JSON.parse(answer.body);
  const text = asText ? output.data.text : answer.body;
  const structured = tool.outputSchema.type === 'object' ? { structuredContent: output } : {};
  return { content: [{ type: 'text', text }], ...structured };
}
