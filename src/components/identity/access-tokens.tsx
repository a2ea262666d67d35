'use client';

import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { CREDENTIAL_STATUSES } from '../keys/credential-statuses';
import { ConfirmAction } from '../ui/form/confirm-action';
import { FormDrawer } from '../ui/form/form-drawer';
import { SecretDialog } from '../ui/form/secret-dialog';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { StatusBadge } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';

const DEFAULT_LIFETIME_DAYS = 90;

/** The personal access tokens, for programs that act as this user. */
export function AccessTokens() {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data: tokens } = useQuery(trpc.tokens.list.queryOptions());
  const reload = () => queryClient.invalidateQueries(trpc.tokens.list.queryFilter());
  const create = useMutation(trpc.tokens.create.mutationOptions(SHOWS_OWN_ERROR));
  const revoke = useMutation(trpc.tokens.revoke.mutationOptions({ onSuccess: reload }));
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Section
      title={t('tokens.title')}
      description={t('tokens.hint')}
      actions={
        <Button variant="default" onClick={() => setIsCreating(true)}>
          {t('tokens.create')}
        </Button>
      }
    >
      {tokens?.length === 0 ? (
        <Text c="dimmed">{t('tokens.none')}</Text>
      ) : (
        <ListTable
          label={t('tokens.title')}
          rows={tokens}
          rowKey={({ id }) => String(id)}
          columns={[
            { key: 'name', label: t('tokens.name'), heading: true, render: ({ name }) => name },
            {
              key: 'token',
              label: t('tokens.token'),
              render: ({ prefix, last_four: lastFour }) => (
                <span className="mono">{`${prefix}…${lastFour}`}</span>
              ),
            },
            {
              key: 'state',
              label: t('tokens.state'),
              render: ({ state }) => <StatusBadge status={CREDENTIAL_STATUSES[state]} />,
            },
            {
              key: 'expires',
              label: t('tokens.expires'),
              render: ({ expires_at: at }) => <Instant value={at} dateOnly />,
            },
            {
              key: 'used',
              label: t('tokens.used'),
              render: ({ last_used_at: at }) => <Instant value={at} />,
            },
            {
              key: 'revoke',
              label: t('tokens.revoke'),
              actions: true,
              render: ({ id, name, state }) =>
                state !== 'active' ? null : (
                  <ConfirmAction
                    title={t('tokens.revoke')}
                    message={t('tokens.revokeHint', { name })}
                    action={t('tokens.revoke')}
                    destructive
                    onConfirm={() => revoke.mutateAsync({ id })}
                  >
                    {(ask) => (
                      <Button size="compact-sm" variant="default" onClick={ask}>
                        {t('tokens.revoke')}
                      </Button>
                    )}
                  </ConfirmAction>
                ),
            },
          ]}
        />
      )}
      <FormDrawer
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        title={t('tokens.create')}
        draftKey="personal token"
        loadSchema={() =>
          import('../../server/identity/tokens/schema').then((module) => module.createTokenInput)
        }
        initialValues={{ name: '', expires_in_days: DEFAULT_LIFETIME_DAYS }}
        fields={[
          { name: 'name', label: t('tokens.name'), description: t('tokens.nameHint') },
          { name: 'expires_in_days', label: t('tokens.days'), kind: 'number' },
        ]}
        action={t('tokens.create')}
        onSubmit={async (input) => {
          const { token } = await create.mutateAsync(input);
          setSecret(token);
          await reload();
        }}
      />
      <SecretDialog title={t('tokens.created')} secret={secret} onDone={() => setSecret(null)} />
    </Section>
  );
}
