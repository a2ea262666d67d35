import type { Tool } from '../api/tool-list';
import { maskError, memberNames } from '../gateway/masked-error';
import type { KeyCalls } from '../identity/keys/call-service';
import type { Exchange } from './exchange';

/** Called with each exchange when it has ended. */
export type CallRecorder = (exchange: Exchange, status: number, durationMs: number) => void;

/**
 * Adds exchanges with a key to the key's request log, refused ones too. Operations that an exchange ran in process, as MCP
 * tools do, are logged in its place, each with its own outcome.
 *
 * @param tools the operations whose member names may appear in logged errors
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
