'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { FormDrawerProps } from './opened-form-drawer';

const OpenedFormDrawer = dynamic(
  () => import('./opened-form-drawer').then((module) => module.OpenedFormDrawer),
  { ssr: false },
) as never as typeof import('./opened-form-drawer').OpenedFormDrawer;

/**
 * A form in a drawer: focus stays within, Esc closes it, Enter sends it. Opened anew it is as at first. Its inputs, which no page
 * needs before, are loaded when it is first opened.
 */
export function FormDrawer<V extends Record<string, unknown>, S extends z.ZodType>(
  props: FormDrawerProps<V, S>,
) {
  const { opened } = props;
  const [needed, setNeeded] = useState(opened);
  useEffect(() => {
    if (opened) setNeeded(true);
  }, [opened]);
  return needed ? <OpenedFormDrawer {...props} /> : null;
}
