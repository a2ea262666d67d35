import { useEffect, useEffectEvent } from 'react';
import { useUrl } from './use-url';

/**
 * Opens a page's form if the URL names it (`?form=new`, or the id of the record to edit), and removes the parameter, so that a
 * reload does not open the form again.
 * @param ready whether the data that the form needs is loaded
 */
export function useFormInUrl(ready: boolean, open: (form: string) => void): void {
  const { parameters, change } = useUrl();
  const form = parameters.get('form');
  const openForm = useEffectEvent((name: string) => {
    open(name);
    change({ form: undefined }, 'replace');
  });
  useEffect(() => {
    if (ready && form) openForm(form);
  }, [ready, form]);
}
