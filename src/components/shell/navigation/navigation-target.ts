/** The path and query of the page that is being opened; null if none is. */
let target: string | null = null;
const listeners = new Set<() => void>();

function setTarget(newTarget: string | null): void {
  target = newTarget;
  for (const listener of listeners) listener();
}

/** Returns a path with its query, always encoded in the same way. */
export const pageAddress = (path: string, query: URLSearchParams): string => `${path}?${query}`;

/** Records that Next has begun to open a page. */
export function startNavigation(href: string): void {
  const { pathname, searchParams } = new URL(href, window.location.href);
  setTarget(pageAddress(pathname, searchParams));
}

/** Records that a page has been opened. */
export const endNavigation = (): void => setTarget(null);

export const readTarget = (): string | null => target;

/** Calls the listener whenever the target changes, until the returned function is called. */
export function subscribeToTarget(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
