import { useSyncExternalStore } from 'react';

/** Whether the service responded to the page's latest call. */
let reachable = true;
const listeners = new Set<() => void>();

/** Call after each call of the service: whether there was a response. */
export function sawResponse(responded: boolean): void {
  if (reachable === responded) return;
  reachable = responded;
  for (const listener of listeners) listener();
}

/** Like `fetch`, but remembers whether the service can be reached. An aborted call says nothing. */
export async function watchedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(...request);
    sawResponse(true);
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) sawResponse(false);
    throw error;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export type ConnectionState = 'fine' | 'offline' | 'unreachable';

const read = (): ConnectionState => (navigator.onLine ? (reachable ? 'fine' : 'unreachable') : 'offline');

/** Whether the page can reach the service now. */
export const useConnection = (): ConnectionState => useSyncExternalStore(subscribe, read, () => 'fine');
