import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react';
import { checkConnection } from './connection';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 10_000;

/**
 * Imports a module on demand, and retries until it succeeds. A failed import would take down the whole page and lose unsaved input.
 * Meanwhile, the connection banner says so if the service cannot be reached.
 */
export async function loadWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      return await load();
    } catch {
      checkConnection();
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

const subscribeToNothing = () => () => undefined;

/**
 * Returns a component whose code is loaded when it is first rendered, and which shows nothing until then. It is not rendered on the
 * server.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazy(async () => ({
    default: (await loadWithRetry(load)) as ComponentType<object>,
  }));
  return function OnDemand(props: Props) {
    const isHydrated = useSyncExternalStore(
      subscribeToNothing,
      () => true,
      () => false,
    );
    return (
      isHydrated && (
        <Suspense>
          <Loaded {...props} />
        </Suspense>
      )
    );
  };
}
