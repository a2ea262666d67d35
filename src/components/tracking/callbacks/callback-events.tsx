'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { ListTable } from '../../ui/list/table/list-table';
import { Section } from '../../ui/page/detail-page';
import { StatusBadge } from '../../ui/value/status-badge';
import { SubStatusName } from '../../ui/value/sub-status';
import { Instant } from '../../ui/value/time/instant';
import { TrackingNumbers } from './callback-columns';

/** The events that a callback was the first to report. */
export function CallbackEvents({
  callback: { events, event_count: count },
}: {
  callback: RouterOutputs['callbacks']['one'];
}) {
  const t = useTranslations('tracking');
  return (
    <Section
      title={t('callback.events')}
      description={
        count > events.length ? t('callback.eventsShown', { shown: events.length, count }) : undefined
      }
    >
      {events.length === 0 ? (
        <Text c="dimmed">{t('callback.noEvents')}</Text>
      ) : (
        <ListTable
          label={t('callback.events')}
          rows={events}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'at',
              label: t('callback.happened'),
              heading: true,
              render: ({ occurred_at: at }) => <Instant value={at} />,
            },
            {
              key: 'number',
              label: t('callbacks.number'),
              render: ({ tracking_number: number }) => <TrackingNumbers numbers={[number]} count={1} />,
            },
            {
              key: 'status',
              label: t('shipments.status'),
              render: ({ status }) => (status === null ? '–' : <StatusBadge status={status} />),
            },
            {
              key: 'providerStatus',
              label: t('callback.providerStatus'),
              render: ({ provider_status: providerStatus, sub_status: subStatus }) =>
                providerStatus !== null ? (
                  <span className="mono">{providerStatus}</span>
                ) : subStatus !== null ? (
                  <SubStatusName subStatus={subStatus} />
                ) : (
                  '–'
                ),
            },
            {
              key: 'description',
              label: t('callback.description'),
              render: ({ description }) => description ?? '–',
            },
            { key: 'location', label: t('callback.location'), render: ({ location }) => location ?? '–' },
          ]}
        />
      )}
    </Section>
  );
}
