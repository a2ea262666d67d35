import { createContext, use, useSyncExternalStore } from 'react';
import { Confirmation } from './confirm-link';

/** The password confirmation of this page. */
export const ConfirmationContext = createContext(new Confirmation());

/** Returns whether the page is asking for the password. While it is, Esc must not close the form below. */
export function useIsConfirming(): boolean {
  const confirmation = use(ConfirmationContext);
  return useSyncExternalStore(confirmation.subscribe, confirmation.isOpen, () => false);
}
