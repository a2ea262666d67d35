'use client';

import { type Ref, useImperativeHandle } from 'react';

/** Tells Mantine which button a dropdown belongs to. Mantine requires a child here, but the button is rendered elsewhere. */
export function Target({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}
