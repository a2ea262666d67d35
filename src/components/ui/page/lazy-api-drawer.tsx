'use client';

import type { ComponentProps } from 'react';
import { onDemand } from '../../api/on-demand';
import { useDialogEverOpened } from '../floating/use-opened-after-mount';
import type { ApiDrawer } from './api-drawer';

const Drawer = onDemand(() => import('./api-drawer').then((module) => module.ApiDrawer));

/** ApiDrawer, loaded when it is first opened. */
export function LazyApiDrawer(props: ComponentProps<typeof ApiDrawer>) {
  return useDialogEverOpened(props.opened) && <Drawer {...props} />;
}
