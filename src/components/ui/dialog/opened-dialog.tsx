'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useOpenedAfterMount } from '../floating/use-opened-after-mount';
import { useFocusAfterClose } from './use-focus-after-close';

/** The part of Dialog that is loaded when it is first opened. */
export function OpenedDialog({ opened, ...props }: ModalProps) {
  const t = useTranslations('common');
  return (
    <Modal
      {...props}
      ref={useFocusAfterClose(opened)}
      opened={useOpenedAfterMount(opened)}
      closeButtonProps={{ 'aria-label': t('close') }}
    />
  );
}
