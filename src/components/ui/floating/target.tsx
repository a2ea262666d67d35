'use client';

import { type Ref, useImperativeHandle } from 'react';

/** Stands for the button of a dropdown, which is elsewhere, where Mantine wants it as a child. */
export function Target({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}
