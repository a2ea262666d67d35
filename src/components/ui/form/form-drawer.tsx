'use client';

import type { z } from 'zod';
import { onDemand } from '../../api/on-demand';
import { useDialogEverOpened } from '../floating/use-opened-after-mount';
import type { FormDrawerProps } from './opened-form-drawer';

const OpenedFormDrawer = onDemand(() =>
  import('./opened-form-drawer').then((module) => module.OpenedFormDrawer),
) as never as typeof import('./opened-form-drawer').OpenedFormDrawer;

/**
 * A form in a drawer: the focus stays inside, Esc closes it, Enter submits it. Closing it keeps unsaved input if it has a
 * `draftKey`; Cancel discards it. The code is loaded when the drawer is first opened.
 */
export function FormDrawer<V extends Record<string, unknown>, S extends z.ZodType, R extends object = never>(
  props: FormDrawerProps<V, S, R>,
) {
  return useDialogEverOpened(props.opened) && <OpenedFormDrawer {...props} />;
}
