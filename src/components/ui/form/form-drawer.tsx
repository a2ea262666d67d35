'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { loadPart } from '../../api/load-part';
import type { FormDrawerProps } from './opened-form-drawer';

const OpenedFormDrawer = dynamic(
  () => loadPart(() => import('./opened-form-drawer')).then((module) => module.OpenedFormDrawer),
  { ssr: false },
) as never as typeof import('./opened-form-drawer').OpenedFormDrawer;

/**
 * A form in a drawer: the focus stays inside, Esc closes it, Enter submits it. Closing it keeps unsaved input if it has a
 * `draftKey`; Cancel discards it. The code is loaded when the drawer is first opened.
 */
export function FormDrawer<V extends Record<string, unknown>, S extends z.ZodType, R extends object = never>(
  props: FormDrawerProps<V, S, R>,
) {
  const { opened } = props;
  const [needed, setNeeded] = useState(opened);
  useEffect(() => {
    if (opened) setNeeded(true);
  }, [opened]);
  return needed ? <OpenedFormDrawer {...props} /> : null;
}
