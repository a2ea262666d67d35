import { useSyncExternalStore } from 'react';

/** Whether the service responded to the page's last call. */
let reachable = true;
const listeners = new Set<() => void>();

/** Records whether a call to the service got a response. */
export function recordResponse(responded: boolean): void {
  if (reachable === responded) return;
  reachable = responded;
  for (const listener of listeners) listener();
}

/** Like `fetch`, but records whether the service can be reached. Ignores aborted calls. */
export async function watchedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(...request);
    recordResponse(true);
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) recordResponse(false);
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

const readState = (): ConnectionState =>
  navigator.onLine ? (reachable ? 'fine' : 'unreachable') : 'offline';

/** Returns whether the page can reach the service. */
export const useConnection = (): ConnectionState => useSyncExternalStore(subscribe, readState, () => 'fine');
