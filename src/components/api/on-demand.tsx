import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react';
import { checkConnection, recordMissingModule } from './connection';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 10_000;

/**
 * Imports a module, and retries until it succeeds. A failed import would take down the whole page and lose unsaved input. Meanwhile,
 * the connection banner says that the service cannot be reached, or that it does not have the module.
 */
async function loadWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  let wasReady = false;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      const module = await load();
      if (wasReady) recordMissingModule(false);
      return module;
    } catch {
      const isReady = await checkConnection();
      // The first time, the service may have come back between the two requests.
      if (isReady && wasReady) recordMissingModule(true);
      wasReady = isReady;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

/** Returns a function that imports a module on demand, and retries until it succeeds. However often it is called, it loads once. */
export function createLoader<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let modulePromise: Promise<Module> | undefined;
  return () => {
    modulePromise ??= loadWithRetry(load);
    return modulePromise;
  };
}

const subscribeToNothing = () => () => undefined;

/**
 * Returns a component whose code is loaded when it is first rendered, and which shows nothing until then. It is not rendered on the
 * server.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loadComponent = createLoader(load);
  const Loaded = lazy(async () => ({ default: (await loadComponent()) as ComponentType<object> }));
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
