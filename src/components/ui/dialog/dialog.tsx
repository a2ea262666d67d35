'use client';

import type { DrawerProps, ModalProps } from '@mantine/core';
import { onDemand } from '../../api/on-demand';
import { useDialogEverOpened } from '../floating/use-opened-after-mount';

const OpenedDialog = onDemand(() => import('./opened-dialog').then((module) => module.OpenedDialog));
const OpenedDrawer = onDemand(() => import('./opened-drawer').then((module) => module.OpenedDrawer));

/** Mantine's Modal with a labelled close button, loaded when it is first opened. */
export function Dialog(props: ModalProps) {
  return useDialogEverOpened(props.opened) && <OpenedDialog {...props} />;
}

/** Mantine's Drawer with a labelled close button, loaded when it is first opened. */
export function SideDrawer(props: DrawerProps) {
  return useDialogEverOpened(props.opened) && <OpenedDrawer {...props} />;
}
