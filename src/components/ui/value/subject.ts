import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';

/** What a drawer is about, such as the row being edited. Kept while the drawer closes, so that its text does not change. */
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
