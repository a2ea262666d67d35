'use client';

import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { useIsConfirming } from '../../api/confirm-context';
import { Dialog } from '../dialog/dialog';

interface Question {
  title: string;
  /** What will happen, and to how many records. */
  message: ReactNode;
  /** The label of the button that confirms: a verb. */
  action: string;
  /** Whether something will be lost. */
  destructive?: boolean;
  onConfirm: () => Promise<unknown>;
}

/**
 * Asks for confirmation before an action, and says what will happen. Stays open if the action fails; the error is shown as usual.
 */
export function ConfirmModal({
  opened,
  onClose,
  title,
  message,
  action,
  destructive,
  onConfirm,
}: Question & { opened: boolean; onClose: () => void }) {
  const t = useTranslations('common');
  const [busy, setBusy] = useState(false);
  const isConfirming = useIsConfirming();
  const confirm = async () => {
    // While the dialog closes, the second click of a double click would confirm again.
    if (!opened) return;
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch {
      // The shared error handler has shown the error.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={title} closeOnEscape={!isConfirming}>
      <Stack gap="md">
        <div>{message}</div>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color={destructive ? 'red' : undefined} loading={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** A ConfirmModal with the button that opens it. */
export function ConfirmAction({
  children,
  ...question
}: Question & { children: (ask: () => void) => ReactNode }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      {children(open)}
      <ConfirmModal opened={opened} onClose={close} {...question} />
    </>
  );
}
