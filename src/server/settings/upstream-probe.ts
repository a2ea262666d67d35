import { readResponseText } from '../core/http/limited-body';
import type { ProbeOutcome } from './schema';

/** Another service, and the cheapest request that shows whether it is reachable and accepts our key. */
export interface UpstreamProbe {
  /** The name shown to users, such as `17track`. */
  name: string;
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

const TIMEOUT_MS = 5_000;
/** A response is read up to this length; 17TRACK's code is at its beginning. */
const MAX_RESPONSE_LENGTH = 100_000;

/** 17TRACK's codes for a key that is invalid, blocked or not allowed from this address. It sends them with status 200. */
export const TRACK17_REFUSED_CODES = new Set([-18010001, -18010002, -18010004, -18010005]);

async function readOutcome(response: Response): Promise<ProbeOutcome> {
  if (response.status === 401 || response.status === 403) return 'refused';
  if (!response.ok) return 'failing';
  const text = await readResponseText(response, MAX_RESPONSE_LENGTH);
  const [, code] = /"code"\s*:\s*(-\d+)/.exec(text) ?? [];
  return code !== undefined && TRACK17_REFUSED_CODES.has(Number(code)) ? 'refused' : 'reachable';
}

/**
 * Sends one request, if the service is configured, and waits at most five seconds. Never returns the response itself, which may
 * contain secrets.
 */
export async function probeUpstream(
  probe: UpstreamProbe | null,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<{ reach: ProbeOutcome; duration_ms: number | null }> {
  if (!probe) return { reach: 'not_configured', duration_ms: null };
  const { url, method, headers, body } = probe;
  const startMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startMs);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // Redirects are not followed, because the key would be sent to wherever they lead.
    const response = await fetch(url, { method, headers, body: body ?? null, signal, redirect: 'manual' });
    return { reach: await readOutcome(response), duration_ms: elapsedMs() };
  } catch {
    return { reach: signal.aborted ? 'timeout' : 'unreachable', duration_ms: elapsedMs() };
  }
}
