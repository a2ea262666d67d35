/** Another service, and the cheapest question that shows whether it can be reached and takes our key. */
export interface Upstream {
  /** As people know it: `17track`, `yanwen`, `openai`. */
  name: string;
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** What became of the question. `refused` is an answer that says no to the key. */
export type Reach = 'not_configured' | 'reachable' | 'refused' | 'failing' | 'timeout' | 'unreachable';

const TIMEOUT_MS = 5_000;

/** 17TRACK answers 200 also where it refuses: the codes of a key that is none, is blocked or may not come from here. */
const REFUSED_CODES = new Set([-18010001, -18010002, -18010004, -18010005]);

async function reachOf(response: Response): Promise<Reach> {
  if (response.status === 401 || response.status === 403) return 'refused';
  if (!response.ok) return 'failing';
  const text = (await response.text()).slice(0, 100_000);
  const [, code] = /"code"\s*:\s*(-\d+)/.exec(text) ?? [];
  return code !== undefined && REFUSED_CODES.has(Number(code)) ? 'refused' : 'reachable';
}

/** Asks once, for at most five seconds. What the other service says, which may hold secrets, goes no further. */
export async function probe(
  upstream: Upstream | null,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<{ reach: Reach; duration_ms: number | null }> {
  if (!upstream) return { reach: 'not_configured', duration_ms: null };
  const { url, method, headers, body } = upstream;
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // Redirects are not followed, as the key would go along.
    const response = await fetch(url, { method, headers, body: body ?? null, signal, redirect: 'manual' });
    return { reach: await reachOf(response), duration_ms: elapsed() };
  } catch {
    return { reach: signal.aborted ? 'timeout' : 'unreachable', duration_ms: elapsed() };
  }
}
