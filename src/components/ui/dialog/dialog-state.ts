import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useHeldKeys } from '../keyboard/held-keys';

/**
 * Keeps the state of a dialog or drawer, and its subject, such as the row being edited. The subject stays while the dialog closes, so
 * that the content does not change; unmounting a dialog to close it would lose the focus.
 *
 * @returns `openCount`, a key for components that must start afresh each time they are opened
 */
export function useDialogState<T>() {
  const [subject, setSubject] = useState<T | null>(null);
  const [openCount, setOpenCount] = useState(0);
  const [opened, { open, close }] = useDisclosure();
  useHeldKeys(opened);
  return {
    subject,
    opened,
    openCount,
    open: (newSubject: T) => {
      setSubject(newSubject);
      setOpenCount((count) => count + 1);
      open();
    },
    close,
  };
}
