'use client';

import { Alert, Button, Group, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Dialog } from '../dialog/dialog';
import { CopyBlock } from '../value/copy-block';

interface Props {
  title: string;
  /** The secret, such as a key, a token, or recovery codes (one per line); null if there is none to show. */
  secret: string | null;
  onDone: () => void;
  /** Shown above the secret: what it is for. */
  hint?: ReactNode;
  /** Shown below the secret: what else to save or try. */
  children?: ReactNode;
}

/** Shows a secret once. The dialog closes only when the user confirms that they have saved it. */
export function SecretDialog({ title, secret, onDone, hint, children }: Props) {
  const t = useTranslations('common');
  return (
    <Dialog
      opened={secret !== null}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={title}
      size="lg"
    >
      {secret !== null && (
        <Stack gap="md">
          {hint}
          <Alert color="yellow" variant="light" c="var(--mantine-color-text)">
            {t('secret.once')}
          </Alert>
          <CopyBlock text={secret} />
          {children}
          <Group justify="flex-end">
            <Button onClick={onDone}>{t('secret.kept')}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
