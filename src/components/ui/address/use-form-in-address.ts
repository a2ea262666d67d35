import { useEffect, useEffectEvent } from 'react';
import { useAddress } from './use-address';

/**
 * Opens a page's form when the address asks for it (`?form=new`, or the id of what to edit), and takes that out of the address,
 * so that a reload does not open it again.
 *
 * @param ready whether the page has what its form needs
 */
export function useFormInAddress(ready: boolean, open: (form: string) => void): void {
  const { parameters, change } = useAddress();
  const form = parameters.get('form');
  const openForm = useEffectEvent((asked: string) => {
    open(asked);
    change({ form: undefined }, 'replace');
  });
  useEffect(() => {
    if (ready && form) openForm(form);
  }, [ready, form]);
}
