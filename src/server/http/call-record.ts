import type { Tool } from '../api/tool-list';
import { maskError, memberNames } from '../gateway/masked-error';
import type { KeyCallLog } from '../identity/keys/call-service';
import type { Exchange } from './exchange';

/** Called with each exchange after it has ended. */
export type CallRecorder = (exchange: Exchange, status: number, durationMs: number) => void;

/**
 * Creates a recorder that logs every request made with a valid key, including refused ones, to that key's request log. If a
 * request ran operations in process, as MCP tools do, those are logged instead of the request, each with its own outcome.
 *
 * @param tools the operations whose member names may appear in logged errors
 */
export function createCallRecorder(keyCalls: KeyCallLog, tools: readonly Tool[]): CallRecorder {
  // Unknown fields that take up too much are reported at `extra`, which is in no schema.
  const knownNames = memberNames(tools.map(({ inputSchema }) => inputSchema)).add('extra');
  return ({ req, key, requestId, route, address, error: ownError, operationRuns }, status, durationMs) => {
    if (!key) return;
    const at = Date.now() - durationMs;
    const ownCall = { method: req.method ?? 'GET', route, status, durationMs, error: ownError };
    for (const call of operationRuns.length > 0 ? operationRuns : [ownCall]) {
      const error = call.error && maskError(call.error, knownNames);
      keyCalls.add({ ...call, apiKeyId: key.id, at, requestId, address, error });
    }
  };
}
