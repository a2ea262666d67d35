import { useEffect, useState } from 'react';
import { useHeldKeys } from '../keyboard/held-keys';

/**
 * Returns `opened`, but false until the component has been mounted. On closing, Mantine restores the focus to the element that had
 * it on opening, but it does not notice the opening of a component that is mounted open.
 */
export function useOpenedAfterMount(opened: boolean): boolean {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return opened && isMounted;
}

/** Returns whether something has ever been opened. From then on, the caller keeps it mounted, so that its closing can be animated. */
export function useEverOpened(opened: boolean): boolean {
  const [wasEverOpened, setWasEverOpened] = useState(opened);
  if (opened && !wasEverOpened) setWasEverOpened(true);
  return wasEverOpened;
}

/** Like useEverOpened, for a dialog or drawer that is loaded on demand: what is typed while it opens is kept for it. */
export function useDialogEverOpened(opened: boolean): boolean {
  useHeldKeys(opened);
  return useEverOpened(opened);
}
