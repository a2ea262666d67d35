'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';
import { loadPart } from '../../api/load-part';
import type { ApiDrawer } from './api-drawer';

const Drawer = dynamic(() => loadPart(() => import('./api-drawer')).then((module) => module.ApiDrawer), {
  ssr: false,
});

/** ApiDrawer, loaded when it is first opened. It then stays mounted, so that closing it restores the focus. */
export function LazyApiDrawer(props: ComponentProps<typeof ApiDrawer>) {
  const [everOpened, setEverOpened] = useState(false);
  if (props.opened && !everOpened) setEverOpened(true);
  return everOpened && <Drawer {...props} />;
}
