'use client';

import { Button, Group, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { OpenedDialog } from '../ui/dialog/opened-dialog';
import { FormFields } from '../ui/form/form-fields';
import { useSchemaForm } from '../ui/form/schema-form';
import type { Confirmation } from './confirm-link';
import { SHOWS_OWN_ERROR } from './page-queries';
import { useTRPC } from './trpc-context';

interface FormProps {
  needsPassword: boolean;
  needsCode: boolean;
  onDone: (confirmed: boolean) => void;
}

function ConfirmationForm({ needsPassword, needsCode, onDone }: FormProps) {
  const t = useTranslations('common');
  const trpc = useTRPC();
  const confirm = useMutation(trpc.account.confirm.mutationOptions(SHOWS_OWN_ERROR));
  const { form, submit, busy, failure } = useSchemaForm({
    loadSchema: () =>
      import('../../server/identity/users/account-schema').then((module) => module.confirmInput),
    initialValues: { password: '', code: '' },
    onSubmit: async (input) => {
      await confirm.mutateAsync(input);
      onDone(true);
    },
  });
  // The dialog opens before it knows what to ask for, so there is no field to focus at first.
  const firstField = useRef<HTMLInputElement>(null);
  useEffect(() => firstField.current?.focus(), []);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>{needsPassword || needsCode ? t('confirm.hint') : t('confirm.signInAgain')}</Text>
        {failure && <FormFields fields={[]} state={{ form, failure }} />}
        {needsPassword && (
          <PasswordInput
            label={t('confirm.password')}
            autoComplete="current-password"
            ref={firstField}
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
            {...form.getInputProps('password')}
            aria-invalid={form.errors.password ? true : undefined}
          />
        )}
        {needsCode && (
          <TextInput
            label={t('confirm.code')}
            description={t('confirm.codeHint')}
            autoComplete="one-time-code"
            classNames={{ input: 'mono' }}
            ref={needsPassword ? undefined : firstField}
            data-autofocus={!needsPassword || undefined}
            {...form.getInputProps('code')}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => onDone(false)}>
            {t('cancel')}
          </Button>
          {(needsPassword || needsCode) && (
            <Button type="submit" loading={busy}>
              {t('confirm.action')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/**
 * Asks for the password of a user who has one, and for a code if they have a second factor. Once they have confirmed, the calls
 * that required it are repeated. A user with neither must sign in again.
 */
export function ConfirmationDialog({ confirmation }: { confirmation: Confirmation }) {
  const t = useTranslations('common');
  const trpc = useTRPC();
  const isRequested = useSyncExternalStore(confirmation.subscribe, confirmation.isOpen, () => false);
  const { data: me } = useQuery(trpc.account.me.queryOptions(undefined, { enabled: isRequested }));
  // Deferred until the Esc keypress has been handled: a form below must still see the dialog open, or it closes too.
  const declineConfirmation = () => setTimeout(() => confirmation.answer(false));
  return (
    <OpenedDialog
      opened={isRequested}
      onClose={declineConfirmation}
      title={t('confirm.title')}
      // Above the drawer or dialog that needs the confirmation.
      zIndex={400}
    >
      {me ? (
        <ConfirmationForm
          needsPassword={me.has_password}
          needsCode={me.two_factor}
          onDone={confirmation.answer}
        />
      ) : (
        <Loader aria-label={t('confirm.title')} />
      )}
    </OpenedDialog>
  );
}
