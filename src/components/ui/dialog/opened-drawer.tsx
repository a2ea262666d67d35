'use client';

import { Drawer, type DrawerProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useOpenedAfterMount } from '../floating/use-opened-after-mount';
import { useFocusAfterClose } from './use-focus-after-close';

/** The part of SideDrawer that is loaded when it is first opened. */
export function OpenedDrawer({ opened, ...props }: DrawerProps) {
  const t = useTranslations('common');
  return (
    <Drawer
      {...props}
      ref={useFocusAfterClose(opened)}
      opened={useOpenedAfterMount(opened)}
      closeButtonProps={{ 'aria-label': t('close') }}
    />
  );
}
