'use client';

import type { DrawerProps, ModalProps } from '@mantine/core';
import dynamic from 'next/dynamic';
import { loadModuleWithRetry } from '../../api/load-module';
import { useEverOpened } from '../floating/use-opened-after-mount';

const OpenedDialog = dynamic(
  () => loadModuleWithRetry(() => import('./opened-dialog')).then((module) => module.OpenedDialog),
  {
    ssr: false,
  },
);
const OpenedDrawer = dynamic(
  () => loadModuleWithRetry(() => import('./opened-drawer')).then((module) => module.OpenedDrawer),
  {
    ssr: false,
  },
);

/** Mantine's Modal with a labelled close button, loaded when it is first opened. */
export function Dialog(props: ModalProps) {
  return useEverOpened(props.opened) && <OpenedDialog {...props} />;
}

/** Mantine's Drawer with a labelled close button, loaded when it is first opened. */
export function SideDrawer(props: DrawerProps) {
  return useEverOpened(props.opened) && <OpenedDrawer {...props} />;
}
