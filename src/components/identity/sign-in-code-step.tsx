'use client';

import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';

interface Props {
  busy: boolean;
  onSubmit: (code: string) => Promise<void>;
  onBack: () => void;
}

/** The second step, for users with a second factor: a code from the authenticator app, or a recovery code. */
export function CodeStep({ busy, onSubmit, onBack }: Props) {
  const t = useTranslations('sign-in');
  const [isCodeMissing, setIsCodeMissing] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim();
    setIsCodeMissing(code === '');
    if (code !== '') await onSubmit(code);
  };

  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('codeHint')}
        </Text>
        <TextInput
          name="code"
          label={t('code')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          classNames={{ input: 'mono' }}
          error={isCodeMissing ? t('codeMissing') : null}
        />
        <Button type="submit" fullWidth loading={busy}>
          {t('submit')}
        </Button>
        <Button variant="subtle" fullWidth disabled={busy} onClick={onBack}>
          {t('back')}
        </Button>
      </Stack>
    </form>
  );
}
