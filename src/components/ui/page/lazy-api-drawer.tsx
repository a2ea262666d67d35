'use client';

import dynamic from 'next/dynamic';
import type { ComponentProps } from 'react';
import { loadModuleWithRetry } from '../../api/load-module';
import { useEverOpened } from '../floating/use-opened-after-mount';
import type { ApiDrawer } from './api-drawer';

const Drawer = dynamic(
  () => loadModuleWithRetry(() => import('./api-drawer')).then((module) => module.ApiDrawer),
  {
    ssr: false,
  },
);

/** ApiDrawer, loaded when it is first opened. */
export function LazyApiDrawer(props: ComponentProps<typeof ApiDrawer>) {
  return useEverOpened(props.opened) && <Drawer {...props} />;
}
