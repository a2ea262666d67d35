import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';

/**
 * The subject of a drawer, such as the row being edited. It is kept while the drawer closes, so that the content does not change.
 */
export function useSubject<T>() {
  const [subject, setSubject] = useState<T | null>(null);
  const [opened, { open, close }] = useDisclosure();
  return {
    subject,
    opened,
    open: (about: T) => {
      setSubject(about);
      open();
    },
    close,
  };
}
