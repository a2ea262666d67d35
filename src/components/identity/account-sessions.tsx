'use client';

import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { ConfirmAction } from '../ui/form/confirm-action';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { Instant } from '../ui/value/time/instant';
import { ToneBadge } from '../ui/value/tone-badge';
import { browserNameOf } from './browser-name';

/** The user's sessions, each with a button to end it, except the one in use. */
export function SessionsSection() {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data: sessions } = useQuery(trpc.account.sessions.queryOptions());
  const reload = () => queryClient.invalidateQueries(trpc.account.sessions.queryFilter());
  const endSession = useMutation(trpc.account.endSession.mutationOptions({ onSuccess: reload }));
  const endOtherSessions = useMutation(
    trpc.account.endOtherSessions.mutationOptions({
      onSuccess: async ({ ended: endedCount }) => {
        await reload();
        notifications.show({ message: t('sessions.ended', { count: endedCount }), color: 'green' });
      },
    }),
  );
  const otherSessionCount = sessions?.filter(({ here }) => !here).length ?? 0;
  return (
    <Section
      title={t('sessions.title')}
      actions={
        <ConfirmAction
          title={t('sessions.endOthers')}
          message={t('sessions.endOthersHint', { count: otherSessionCount })}
          action={t('sessions.endOthers')}
          onConfirm={() => endOtherSessions.mutateAsync()}
        >
          {(ask) => (
            <Button variant="default" disabled={otherSessionCount === 0} onClick={ask}>
              {t('sessions.endOthers')}
            </Button>
          )}
        </ConfirmAction>
      }
    >
      <ListTable
        label={t('sessions.title')}
        rows={sessions}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'browser',
            label: t('sessions.browser'),
            heading: true,
            render: ({ user_agent: userAgent, here }) => (
              <Group gap="sm">
                <Text title={userAgent ?? undefined}>
                  {browserNameOf(userAgent) ?? t('sessions.unknown')}
                </Text>
                {here && <ToneBadge tone="done">{t('sessions.here')}</ToneBadge>}
              </Group>
            ),
          },
          {
            key: 'address',
            label: t('sessions.address'),
            render: ({ address }) => <span className="mono">{address ?? '–'}</span>,
          },
          {
            key: 'begun',
            label: t('sessions.begun'),
            render: ({ created_at: at }) => <Instant value={at} />,
          },
          {
            key: 'seen',
            label: t('sessions.seen'),
            render: ({ last_seen_at: at }) => <Instant value={at} />,
          },
          {
            key: 'end',
            label: t('sessions.end'),
            actions: true,
            render: ({ id, here }) =>
              here ? null : (
                <Button size="compact-sm" variant="default" onClick={() => endSession.mutate({ id })}>
                  {t('sessions.end')}
                </Button>
              ),
          },
        ]}
      />
    </Section>
  );
}
