import { useSyncExternalStore } from 'react';
import { newYorkDay, startOfHour } from '../ui/value/new-york-days';
import { useBackOffice } from './back-office';

const CHECK_INTERVAL_MS = 60_000;

/** Has the hour checked each minute, and as soon as the page is visible again, as after the night. */
function subscribe(check: () => void): () => void {
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}

/**
 * Returns the beginning of the current hour, in milliseconds since 1970, and renders again when the next begins. While React takes
 * over a page that the server has rendered, it is the server's hour: with another one the content would differ.
 */
export function useCurrentHour(): number {
  const { renderedAt } = useBackOffice();
  return useSyncExternalStore(
    subscribe,
    () => startOfHour(Date.now()),
    () => startOfHour(renderedAt),
  );
}

/** Returns the current date in New York, as `YYYY-MM-DD`, like `useCurrentHour`: days there begin at a full hour of UTC. */
export const useNewYorkToday = (): string => newYorkDay(new Date(useCurrentHour()));
