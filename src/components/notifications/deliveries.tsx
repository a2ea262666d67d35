'use client';

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useReasonText } from '../ui/feedback/reason-text';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { type Status, StatusBadge } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';
import { NOTIFICATION_KIND_NAMES, VENDOR_NAMES } from './names';
import type { Owner } from './queries';

type Delivery = RouterOutputs['notifications']['own']['deliveries'][number];

const STATUSES: Record<Delivery['state'], Status> = {
  waiting: 'queued',
  sending: 'sending',
  sent: 'sent',
  failed: 'not_sent',
  skipped: 'quiet_day',
};

/** The latest notifications, each with the state of its delivery. */
export function Deliveries({ owner }: { owner: Owner }) {
  const t = useTranslations('notifications');
  const trpc = useTRPC();
  const reasonText = useReasonText();
  const { data } = useQuery(trpc.notifications[owner].deliveries.queryOptions());
  return (
    <Section title={t('last')} description={t('lastHint')}>
      {data?.length === 0 ? (
        <Text c="dimmed">{t('noneSent')}</Text>
      ) : (
        <ListTable<Delivery>
          label={t('last')}
          rows={data}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'title',
              label: t('message'),
              heading: true,
              grow: true,
              render: ({ title, failure }) => (
                <>
                  {title}
                  {failure && (
                    <Text size="sm" c="dimmed" fw={400}>
                      {reasonText(failure)}
                    </Text>
                  )}
                </>
              ),
            },
            { key: 'kind', label: t('kind'), render: ({ kind }) => t(NOTIFICATION_KIND_NAMES[kind]) },
            {
              key: 'channel',
              label: t('where'),
              render: ({ vendor, channel }) => (vendor === 'email' ? t(VENDOR_NAMES.email) : channel),
            },
            {
              key: 'at',
              label: t('at'),
              render: ({ sent_at: sentAt, created_at: createdAt }) => (
                <Instant value={sentAt ?? createdAt} brief />
              ),
            },
            {
              key: 'state',
              label: t('state'),
              render: ({ state }) => <StatusBadge status={STATUSES[state]} />,
            },
          ]}
        />
      )}
    </Section>
  );
}
