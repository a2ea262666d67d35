'use client';

import { type Ref, useImperativeHandle } from 'react';

/** A placeholder for the button of a dropdown, which is elsewhere: Mantine requires it as a child. */
export function Target({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}
