'use client';

import { Alert, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { KINDS } from '../../server/notifications/kind';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { useBackOffice } from '../shell/back-office';
import { useDialogState } from '../ui/dialog/dialog-state';
import { useReasonText } from '../ui/feedback/reason-text';
import { LoadError } from '../ui/list/list-states';
import { ListTable } from '../ui/list/table/list-table';
import { RowMenu } from '../ui/list/table/row-menu';
import { Section } from '../ui/page/detail-page';
import { PageHeader } from '../ui/page/page-header';
import { StatusBadge } from '../ui/value/status-badge';
import { type Channel, ChannelForm, listAddableVendors } from './channel-form';
import { Deliveries } from './deliveries';
import { NOTIFICATION_KIND_NAMES, VENDOR_NAMES } from './names';
import type { Owner } from './queries';

/** The notification channels of the user or of the team, with their latest notifications. */
export function NotificationsPage({ owner }: { owner: Owner }) {
  const t = useTranslations('notifications');
  const format = useFormatter();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const reasonText = useReasonText();
  const { user } = useBackOffice();
  const { data, error, refetch } = useQuery(
    trpc.notifications[owner].list.queryOptions(undefined, SHOWS_OWN_ERROR),
  );
  const { data: shops = [] } = useQuery(trpc.shops.names.queryOptions());
  const reload = () => queryClient.invalidateQueries(trpc.notifications[owner].pathFilter());
  const remove = useMutation(trpc.notifications[owner].remove.mutationOptions({ onSuccess: reload }));
  const test = useMutation(trpc.notifications[owner].test.mutationOptions({ onSuccess: reload }));
  const form = useDialogState<{ channel: Channel | null }>();
  const channels = data?.channels;

  const sendTest = async ({ id }: Channel) => {
    const { reason } = await test.mutateAsync({ id });
    notifications.show(
      reason === null
        ? { message: t('tested'), color: 'green' }
        : { title: t('notTested'), message: reasonText(reason), color: 'red', autoClose: false },
    );
  };
  const describeKinds = ({ kinds, send_at: at, time_zone: zone }: Channel) =>
    kinds.length === 0
      ? t('nothing')
      : format.list(
          KINDS.filter((kind) => kinds.includes(kind)).map((kind) =>
            kind === 'summary' ? t('summaryAt', { at, zone }) : t(NOTIFICATION_KIND_NAMES[kind]),
          ),
        );
  const describeShops = ({ shop_ids: ids }: Channel) =>
    ids.length === 0
      ? t('allShops')
      : format.list(shops.filter(({ id }) => ids.includes(id)).map(({ name }) => name));
  return (
    <>
      <PageHeader
        title={owner === 'own' ? t('title') : t('teamTitle')}
        description={owner === 'own' ? t('description') : t('teamDescription')}
        actions={
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => form.open({ channel: null })}
          >
            {t('add')}
          </Button>
        }
      />
      {error && !data && <LoadError error={error} onRetry={refetch} />}
      {owner === 'own' && data?.has_email === false && (
        <Alert color="gray" variant="light" c="var(--mantine-color-text)" mb="md">
          {t('noMailServer')}
        </Alert>
      )}
      <Section title={t('channels')}>
        {channels?.length === 0 ? (
          <Text c="dimmed">{t('none')}</Text>
        ) : (
          <ListTable<Channel>
            label={t('channels')}
            rows={channels}
            rowKey={({ id }) => String(id)}
            columns={[
              {
                key: 'name',
                label: t('name'),
                heading: true,
                render: ({ vendor, name }) => (
                  <>
                    {vendor === 'email' ? t(VENDOR_NAMES.email) : name}
                    <Text size="sm" c="dimmed" fw={400} style={{ whiteSpace: 'nowrap' }}>
                      {vendor === 'email' ? user.email : t(VENDOR_NAMES[vendor])}
                    </Text>
                  </>
                ),
              },
              { key: 'what', label: t('what'), grow: true, render: describeKinds },
              { key: 'shops', label: t('shops'), render: describeShops },
              {
                key: 'state',
                label: t('state'),
                render: ({ active }) => <StatusBadge status={active ? 'switched_on' : 'switched_off'} />,
              },
              {
                key: 'test',
                label: t('test'),
                actions: true,
                render: (channel) => (
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={test.isPending && test.variables.id === channel.id}
                    onClick={() => void sendTest(channel).catch(() => undefined)}
                  >
                    {t('test')}
                  </Button>
                ),
              },
              {
                key: 'actions',
                label: t('actions'),
                actions: true,
                render: (channel) => (
                  <RowMenu
                    name={channel.name}
                    actions={[
                      { label: t('edit'), onClick: () => form.open({ channel }) },
                      {
                        label: t('remove'),
                        confirm: {
                          message: t('removeHint'),
                          destructive: true,
                          onConfirm: () => remove.mutateAsync({ id: channel.id }),
                        },
                      },
                    ]}
                  />
                ),
              },
            ]}
          />
        )}
      </Section>
      <Deliveries owner={owner} />
      <ChannelForm
        owner={owner}
        opened={form.opened}
        onClose={form.close}
        channel={form.subject?.channel ?? null}
        vendors={listAddableVendors(owner, channels ?? [], data?.has_email ?? false)}
      />
    </>
  );
}
