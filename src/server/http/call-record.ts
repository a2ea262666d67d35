import type { Tool } from '../api/tool-list';
import { maskError, memberNames } from '../gateway/masked-error';
import type { KeyCalls } from '../identity/keys/call-service';
import type { Exchange } from './exchange';

/** Takes each exchange when it has ended. */
export type CallRecorder = (exchange: Exchange, status: number, durationMs: number) => void;

/**
 * Adds exchanges to the request log of their keys, refused ones too; without a key there is none. What an exchange ran in
 * process, as MCP tools do, stands there in its place, each operation with its own outcome.
 *
 * @param tools the operations, whose members alone are named in what is kept of errors
 */
export function createCallRecorder(keyCalls: KeyCalls, tools: readonly Tool[]): CallRecorder {
  const known = memberNames(tools.map(({ inputSchema }) => inputSchema));
  return ({ req, key, requestId, route, address, errorBody, ran }, status, durationMs) => {
    if (!key) return;
    const at = Date.now() - durationMs;
    const itself = { method: req.method ?? 'GET', route, status, durationMs, errorBody };
    for (const { errorBody: body, ...call } of ran.length > 0 ? ran : [itself]) {
      const error = body && maskError(body, known);
      keyCalls.add({ ...call, apiKeyId: key.id, at, requestId, address, error });
    }
  };
}
