'use client';

import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { CopyBlock } from '../value/copy-block';

interface Props {
  title: string;
  /** The secret, such as a key, a token, recovery codes (one a line); null while there is none to show. */
  secret: string | null;
  onDone: () => void;
  /** Above the secret: what it is for. */
  hint?: ReactNode;
  /** Below the secret: what else to keep or to try with it. */
  children?: ReactNode;
}

/** A secret that is shown this once. The dialog closes only when one says that it is kept. */
export function SecretOnce({ title, secret, onDone, hint, children }: Props) {
  const t = useTranslations('common');
  return (
    <Modal
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
    </Modal>
  );
}
