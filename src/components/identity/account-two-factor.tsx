'use client';

import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { FormDrawer } from '../ui/form/form-drawer';
import { SecretDialog } from '../ui/form/secret-dialog';
import { Section } from '../ui/page/detail-page';
import { TwoFactorSetUp } from './two-factor-set-up';

interface Props {
  enabled: boolean;
  required: boolean;
  /** The number of unused recovery codes. */
  recoveryCodeCount: number;
}

/** The second factor: set it up with an authenticator app, renew the recovery codes, turn it off. */
export function TwoFactorSection({ enabled, required, recoveryCodeCount }: Props) {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const [openedForm, setOpenedForm] = useState<'renew' | 'disable' | 'set-up' | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  const renew = useMutation(trpc.account.renewRecoveryCodes.mutationOptions(SHOWS_OWN_ERROR));
  const disable = useMutation(trpc.account.disableTwoFactor.mutationOptions(SHOWS_OWN_ERROR));
  const reload = () => queryClient.invalidateQueries(trpc.account.me.queryFilter());
  const closeForm = () => setOpenedForm(null);
  const codeField = {
    name: 'code',
    label: t('twoFactor.code'),
    autoComplete: 'one-time-code',
    mono: true,
  } as const;
  return (
    <Section
      id="two-factor"
      title={t('twoFactor.title')}
      description={enabled ? t('twoFactor.on', { count: recoveryCodeCount }) : t('twoFactor.off')}
    >
      {openedForm === 'set-up' ? (
        <TwoFactorSetUp onCancel={closeForm} onEnabled={setRecoveryCodes} />
      ) : enabled ? (
        <Group gap="sm">
          <Button variant="default" onClick={() => setOpenedForm('renew')}>
            {t('twoFactor.renew')}
          </Button>
          {!required && (
            <Button variant="default" onClick={() => setOpenedForm('disable')}>
              {t('twoFactor.disable')}
            </Button>
          )}
        </Group>
      ) : (
        <Button onClick={() => setOpenedForm('set-up')}>{t('twoFactor.setUp')}</Button>
      )}
      <FormDrawer
        opened={openedForm === 'renew' || openedForm === 'disable'}
        onClose={closeForm}
        title={openedForm === 'renew' ? t('twoFactor.renew') : t('twoFactor.disable')}
        draftKey={null}
        loadSchema={() =>
          import('../../server/identity/users/account-schema').then((module) => module.codeInput)
        }
        initialValues={{ code: '' }}
        fields={[codeField]}
        action={openedForm === 'renew' ? t('twoFactor.renew') : t('twoFactor.disable')}
        onSubmit={async (input) => {
          if (openedForm === 'renew') setRecoveryCodes((await renew.mutateAsync(input)).recovery_codes);
          else await disable.mutateAsync(input);
          await reload();
        }}
      />
      <SecretDialog
        title={t('twoFactor.codesTitle')}
        hint={<Text>{t('twoFactor.codesHint')}</Text>}
        secret={recoveryCodes?.join('\n') ?? null}
        onDone={() => {
          setRecoveryCodes(null);
          closeForm();
          void reload();
          // A user who was required to set up the second factor may now open the other pages.
          router.refresh();
        }}
      />
    </Section>
  );
}
