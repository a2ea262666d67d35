'use client';

import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { ConfirmAction } from '../ui/form/confirm-action';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { Instant } from '../ui/value/time/instant';

/** The apps to which the user has granted access. Hidden if there are none. */
export function ConsentsSection() {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data: consents } = useQuery(trpc.account.consents.queryOptions());
  const withdraw = useMutation(
    trpc.account.withdrawConsent.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.account.consents.queryFilter()),
    }),
  );
  if (!consents || consents.length === 0) return null;
  return (
    <Section title={t('consents.title')} description={t('consents.hint')}>
      <ListTable
        label={t('consents.title')}
        rows={consents}
        rowKey={({ client_id: id }) => id}
        columns={[
          { key: 'name', label: t('consents.name'), heading: true, render: ({ name }) => name },
          {
            key: 'scopes',
            label: t('consents.scopes'),
            render: ({ scopes }) => <span className="mono">{scopes.join(' ')}</span>,
          },
          { key: 'since', label: t('consents.since'), render: ({ since }) => <Instant value={since} /> },
          {
            key: 'until',
            label: t('consents.until'),
            render: ({ until }) => <Instant value={until} dateOnly />,
          },
          {
            key: 'withdraw',
            label: t('consents.withdraw'),
            actions: true,
            render: ({ client_id: id, name }) => (
              <ConfirmAction
                title={t('consents.withdraw')}
                message={t('consents.withdrawHint', { name })}
                action={t('consents.withdraw')}
                destructive
                onConfirm={() => withdraw.mutateAsync({ client_id: id })}
              >
                {(ask) => (
                  <Button size="compact-sm" variant="default" onClick={ask}>
                    {t('consents.withdraw')}
                  </Button>
                )}
              </ConfirmAction>
            ),
          },
        ]}
      />
    </Section>
  );
}
