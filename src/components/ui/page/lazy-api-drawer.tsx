'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';
import { loadPart } from '../../api/load-part';
import type { ApiDrawer } from './api-drawer';

const Drawer = dynamic(() => loadPart(() => import('./api-drawer')).then((module) => module.ApiDrawer), {
  ssr: false,
});

/** The drawer with an API call, loaded when it is first opened. It stays then, so that closing it can give the focus back. */
export function LazyApiDrawer(props: ComponentProps<typeof ApiDrawer>) {
  const [wanted, setWanted] = useState(false);
  if (props.opened && !wanted) setWanted(true);
  return wanted && <Drawer {...props} />;
}
