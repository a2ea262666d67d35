import { useSyncExternalStore } from 'react';

/** Whether the page's last call reached the service and its database. */
let isReachable = true;
/** Whether the service can be reached, but does not have a module that the page needs. */
let isOutdated = false;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** Records whether a call reached the service and, as far as the response tells, its database. */
export function recordReachability(isReached: boolean): void {
  if (isReachable === isReached) return;
  isReachable = isReached;
  notifyListeners();
}

/** Records that a module cannot be loaded from a service that can be reached, or that one could be loaded after all. */
export function recordMissingModule(isMissing: boolean): void {
  isOutdated = isMissing;
  notifyListeners();
}

/** Whether a proxy sent the response because it could not reach the service, whose own responses with these statuses are JSON. */
const isFromProxy = ({ status, headers }: Response): boolean =>
  [502, 503, 504].includes(status) && !headers.get('content-type')?.startsWith('application/json');

/**
 * Like `fetch`, but records whether the service was reached. Records nothing if the call is aborted or the service returns 503,
 * because only the body of a 503 tells whether the database could be reached.
 */
export async function watchedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(...request);
    if (isFromProxy(response)) recordReachability(false);
    else if (response.status !== 503) recordReachability(true);
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) recordReachability(false);
    throw error;
  }
}

/**
 * Checks whether the service can be reached, after something failed that may have another cause. Returns whether the service is
 * ready.
 */
export const checkConnection = (): Promise<boolean> =>
  watchedFetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

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

/** `outdated`: the service is fine, but no longer has code that this page needs, usually because a new version was installed. */
export type ConnectionState = 'fine' | 'offline' | 'unreachable' | 'outdated';

export function readConnection(): ConnectionState {
  if (!navigator.onLine) return 'offline';
  if (!isReachable) return 'unreachable';
  return isOutdated ? 'outdated' : 'fine';
}

/** Returns the state of the page's connection to the service. */
export const useConnection = (): ConnectionState =>
  useSyncExternalStore(subscribe, readConnection, () => 'fine');
