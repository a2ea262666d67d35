'use client';

import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';

interface Props {
  title: string;
  /** What will happen, and to how many. */
  message: ReactNode;
  /** The action itself, as a verb. */
  action: string;
  /** Whether something is lost by it. */
  destructive?: boolean;
  onConfirm: () => Promise<unknown>;
  /** What asks for the action, such as a button. */
  children: (ask: () => void) => ReactNode;
}

/** Asks before it acts, saying what will happen. Stays open where the action fails, whose error is told as any other. */
export function ConfirmAction({ title, message, action, destructive, onConfirm, children }: Props) {
  const t = useTranslations('common');
  const [opened, { open, close }] = useDisclosure();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      close();
    } catch {
      // The one handler of errors has told it.
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {children(open)}
      <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
        <Stack gap="md">
          <div>{message}</div>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              {t('cancel')}
            </Button>
            <Button color={destructive ? 'red.8' : undefined} loading={busy} onClick={() => void confirm()}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
