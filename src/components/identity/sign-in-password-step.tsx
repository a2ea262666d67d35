'use client';

import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';

export interface Credentials {
  email: string;
  password: string;
}

const textOf = (form: FormData, name: string) => String(form.get(name) ?? '');

/** The first step: e-mail and password. Reads them from the form itself, because not all password managers notify React. */
export function PasswordStep({
  busy,
  onSubmit,
}: {
  busy: boolean;
  onSubmit: (credentials: Credentials) => Promise<void>;
}) {
  const t = useTranslations('sign-in');
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const [missingField, setMissingField] = useState<'email' | 'password' | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credentials = { email: textOf(form, 'email').trim(), password: textOf(form, 'password') };
    const firstMissingField =
      credentials.email === '' ? 'email' : credentials.password === '' ? 'password' : null;
    setMissingField(firstMissingField);
    if (firstMissingField) {
      (firstMissingField === 'email' ? emailInput : passwordInput).current?.focus();
      return;
    }
    await onSubmit(credentials);
  };

  return (
    // With POST, a form submitted before its script runs does not put the password into the URL.
    <form onSubmit={submit} method="post" noValidate>
      <Stack gap="md">
        <TextInput
          ref={emailInput}
          name="email"
          type="email"
          label={t('email')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          error={missingField === 'email' ? t('emailMissing') : null}
        />
        <PasswordInput
          ref={passwordInput}
          name="password"
          label={t('password')}
          autoComplete="current-password"
          aria-invalid={missingField === 'password' || undefined}
          error={missingField === 'password' ? t('passwordMissing') : null}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
        />
        <Button type="submit" fullWidth loading={busy}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
