const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 10_000;

/**
 * Imports a module on demand, and retries until it succeeds. A failed import would take down the whole page and lose unsaved input.
 * Shows no error: if calls fail too, the connection banner says why.
 */
export async function loadModuleWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}
