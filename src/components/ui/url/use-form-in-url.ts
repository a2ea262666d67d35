import { useEffect, useEffectEvent } from 'react';
import { useUrl } from './use-url';

/**
 * Opens a page's form if the URL has the parameter `form` (`new`, or the id of the record to edit), and removes the parameter, so
 * that a reload does not open the form again.
 * @param ready whether the data that the form needs is loaded
 */
export function useFormInUrl(ready: boolean, open: (parameter: string) => void): void {
  const { parameters, change } = useUrl();
  const formParameter = parameters.get('form');
  const openForm = useEffectEvent((parameter: string) => {
    open(parameter);
    change({ form: undefined }, 'replace');
  });
  useEffect(() => {
    if (ready && formParameter) openForm(formParameter);
  }, [ready, formParameter]);
}
