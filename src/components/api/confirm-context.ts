import { createContext, use, useSyncExternalStore } from 'react';
import { Confirmation } from './confirm-link';

/** The confirmation that this page asks the user for. */
export const ConfirmationContext = createContext(new Confirmation());

/** Returns whether the page is asking the user to confirm who they are. While it is, Esc must not close the form below. */
export function useIsConfirming(): boolean {
  const confirmation = use(ConfirmationContext);
  return useSyncExternalStore(confirmation.subscribe, confirmation.isOpen, () => false);
}
