import { useEffect, useEffectEvent } from 'react';
import { useUrl } from './use-url';

/**
 * Opens a page's form when the URL asks for it (`?form=new`, or the id of what to edit), and takes that out of the URL,
 * so that a reload does not open it again.
 *
 * @param ready whether the page has what its form needs
 */
export function useFormInUrl(ready: boolean, open: (form: string) => void): void {
  const { parameters, change } = useUrl();
  const form = parameters.get('form');
  const openForm = useEffectEvent((asked: string) => {
    open(asked);
    change({ form: undefined }, 'replace');
  });
  useEffect(() => {
    if (ready && form) openForm(form);
  }, [ready, form]);
}
