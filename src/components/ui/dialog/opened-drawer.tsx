'use client';

import { Drawer, type DrawerProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useOpened } from '../floating/use-opened';

/** The part of SideDrawer that is loaded when it is first opened. */
export function OpenedDrawer({ opened, ...props }: DrawerProps) {
  const t = useTranslations('common');
  return <Drawer {...props} opened={useOpened(opened)} closeButtonProps={{ 'aria-label': t('close') }} />;
}
