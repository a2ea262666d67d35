import { useSyncExternalStore } from 'react';

/** Whether the page's last call reached the service and its database. */
let isReachable = true;
const listeners = new Set<() => void>();

/** Records whether a call reached the service and, as far as the response tells, its database. */
export function recordReachability(isReached: boolean): void {
  if (isReachable === isReached) return;
  isReachable = isReached;
  for (const listener of listeners) listener();
}

/**
 * Like `fetch`, but records whether the service was reached. Records nothing if the call is aborted or returns 503, because only
 * the body of a 503 tells whether the database could be reached.
 */
export async function watchedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(...request);
    if (response.status !== 503) recordReachability(true);
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) recordReachability(false);
    throw error;
  }
}

/** Checks whether the service can be reached, after something failed that may have another cause. */
export const checkConnection = (): void =>
  void watchedFetch('/readyz', { cache: 'no-store' }).catch(() => undefined);

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
  navigator.onLine ? (isReachable ? 'fine' : 'unreachable') : 'offline';

/** Returns the state of the page's connection to the service. */
export const useConnection = (): ConnectionState => useSyncExternalStore(subscribe, readState, () => 'fine');
