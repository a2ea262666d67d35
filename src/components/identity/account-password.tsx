'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { FormFields } from '../ui/form/form-fields';
import { useSchemaForm } from '../ui/form/schema-form';
import { Section } from '../ui/page/detail-page';

/** Changes the password, which ends all other sessions and revokes personal tokens and consents. */
export function PasswordSection({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const changePassword = useMutation(trpc.account.changePassword.mutationOptions(SHOWS_OWN_ERROR));
  const formState = useSchemaForm({
    loadSchema: () =>
      import('../../server/identity/users/account-schema').then((module) => module.changePasswordInput),
    initialValues: { current_password: '', new_password: '' },
    onSubmit: async (input, form) => {
      await changePassword.mutateAsync(input);
      form.reset();
      await Promise.all(
        [trpc.account.pathFilter(), trpc.tokens.pathFilter()].map((filter) =>
          queryClient.invalidateQueries(filter),
        ),
      );
      notifications.show({ message: t('password.saved'), color: 'green' });
    },
  });
  if (!hasPassword) {
    return (
      <Section title={t('password.title')}>
        <Text c="dimmed">{t('password.none')}</Text>
      </Section>
    );
  }
  return (
    <Section title={t('password.title')} description={t('password.hint')}>
      <form onSubmit={formState.submit} noValidate>
        {/* Tells password managers whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Stack gap="md" maw={360}>
          <FormFields
            state={formState}
            fields={[
              {
                name: 'current_password',
                label: t('password.current'),
                kind: 'password',
                autoComplete: 'current-password',
              },
              {
                name: 'new_password',
                label: t('password.new'),
                kind: 'password',
                autoComplete: 'new-password',
              },
            ]}
          />
          <Group>
            <Button type="submit" loading={formState.busy}>
              {t('password.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
