import { useEffect, useState } from 'react';

/**
 * Opens a part only after it has been mounted: Mantine gives the focus back to what had it when it saw the part open, and does not
 * see that of a part that is mounted open.
 */
export function useOpened(opened: boolean): boolean {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => setIsThere(true), []);
  return opened && isThere;
}

/** Whether something has ever been opened: from then on it stays, so that it can close as it opened. */
export function useEverOpened(opened: boolean): boolean {
  const [wanted, setWanted] = useState(opened);
  if (opened && !wanted) setWanted(true);
  return wanted;
}
