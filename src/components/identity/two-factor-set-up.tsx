'use client';

import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { FormFields } from '../ui/form/form-fields';
import { useSchemaForm } from '../ui/form/schema-form';
import { CopyableText } from '../ui/value/copyable-text';
import { QrCode } from './qr-code';

interface Props {
  onCancel: () => void;
  onEnabled: (recoveryCodes: readonly string[]) => void;
}

/** Shows the QR code to scan, and turns the second factor on once the user enters a code from the app. */
export function TwoFactorSetUp({ onCancel, onEnabled }: Props) {
  const t = useTranslations('account');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const { data: setup, mutate: beginSetup } = useMutation(trpc.account.beginTwoFactor.mutationOptions());
  const enable = useMutation(trpc.account.enableTwoFactor.mutationOptions(SHOWS_OWN_ERROR));
  useEffect(() => beginSetup(), [beginSetup]);
  const formState = useSchemaForm({
    loadSchema: () => import('../../server/identity/users/account-schema').then((module) => module.codeInput),
    initialValues: { code: '' },
    onSubmit: async (input) => onEnabled((await enable.mutateAsync(input)).recovery_codes),
  });
  return (
    <form onSubmit={formState.submit} noValidate>
      <Stack gap="md" maw={480}>
        <Text>{t('twoFactor.scan')}</Text>
        {setup ? (
          <QrCode text={setup.uri} label={t('twoFactor.qrCode')} />
        ) : (
          <Skeleton width={192} height={192} />
        )}
        <Text size="sm" component="div">
          {t('twoFactor.byHand')} {setup && <CopyableText value={setup.secret} />}
        </Text>
        <Stack gap="md" maw={360}>
          <FormFields
            state={formState}
            fields={[{ name: 'code', label: t('twoFactor.code'), autoComplete: 'one-time-code', mono: true }]}
          />
        </Stack>
        <Group gap="sm">
          <Button type="submit" loading={formState.busy}>
            {t('twoFactor.enable')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {common('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
