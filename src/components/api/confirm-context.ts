import { createContext, use, useSyncExternalStore } from 'react';
import { Confirmation } from './confirm-link';

/** The question for the password that this page may ask. */
export const ConfirmationContext = createContext(new Confirmation());

/** Whether the page is asking for the password now: until that is answered, the Esc key is not for the form below. */
export function useIsConfirming(): boolean {
  const confirmation = use(ConfirmationContext);
  return useSyncExternalStore(confirmation.subscribe, confirmation.isOpen, () => false);
}
