'use client';

import { type Ref, useImperativeHandle } from 'react';

/** A placeholder that gives Mantine, which requires a child, the button of a dropdown that is rendered elsewhere. */
export function Target({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}
