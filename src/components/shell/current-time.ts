import { useSyncExternalStore } from 'react';
import { newYorkDay, startOfHour } from '../ui/value/time/new-york-days';
import { useBackOffice } from './back-office';

const CHECK_INTERVAL_MS = 60_000;

/** Calls `check` every minute, and when the page becomes visible again, for example after the computer slept. */
function subscribe(check: () => void): () => void {
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}

/**
 * Returns the beginning of the current hour, in milliseconds since 1970, and renders again when the next begins. During hydration it
 * is the server's hour, so that the content matches the server's HTML.
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
