const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

/**
 * Loads a part of the program that a page needs later, and tries again until it is there. A part that fails to load would take the
 * whole page with it, and what was typed there; while the service is out of reach, the banner says so.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
