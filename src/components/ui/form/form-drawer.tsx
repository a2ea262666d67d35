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
 * A form in a drawer: focus stays inside, Esc closes it, Enter submits it. Closing it keeps what was typed; Cancel discards that.
 * Its inputs are loaded when it is first opened: no page needs them before.
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
