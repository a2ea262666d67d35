import { useEffect, useEffectEvent } from 'react';
import { useUrl } from './use-url';

/**
 * Opens a page's form if the URL has the parameter `form` (`new`, or the id of the record to edit), and removes the parameter, so
 * that a reload does not open the form again.
 * @param isReady whether the data that the form needs is loaded
 */
export function useFormInUrl(isReady: boolean, openForm: (parameter: string) => void): void {
  const { parameters, changeParameters } = useUrl();
  const formParameter = parameters.get('form');
  const openOnce = useEffectEvent((parameter: string) => {
    openForm(parameter);
    changeParameters({ form: undefined }, 'replace');
  });
  useEffect(() => {
    if (isReady && formParameter) openOnce(formParameter);
  }, [isReady, formParameter]);
}
