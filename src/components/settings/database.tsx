'use client';

import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import type { JobName } from '../../server/runtime/job-list';
import type { RouterOutputs } from '../api/router-types';
import { ListTable } from '../ui/list/table/list-table';
import { Facts, Section } from '../ui/page/detail-page';
import { useSizeText } from '../ui/value/size-text';
import { Instant } from '../ui/value/time/instant';

type Health = RouterOutputs['settings']['health'];
type Table = Health['database']['tables'][number];
type Pool = Health['database']['pools']['work'];
type JobQueue = NonNullable<Health['queues']>[number];

const JOB_NAMES = messageKeys('settings', {
  'delete-shops': 'queues.deleteShops',
  'index-orders': 'queues.indexOrders',
  backup: 'queues.backup',
  notify: 'queues.notify',
  'refresh-shipments': 'queues.refreshShipments',
  'replay-callbacks': 'queues.replayCallbacks',
  upkeep: 'queues.upkeep',
}) satisfies Record<JobName, string>;

/** The size of the database, its largest tables, and how many of its connections are in use. */
export function DatabaseSection({ database }: Pick<Health, 'database'>) {
  const t = useTranslations('settings');
  const format = useFormatter();
  const sizeText = useSizeText();
  const { bytes, connections, max_connections: maxConnections, tables, pools } = database;
  const poolText = ({ size, open, idle, waiting }: Pool) =>
    t('poolUse', { busy: open - idle, size, waiting });
  return (
    <Section title={t('database')}>
      <Facts
        facts={[
          { label: t('databaseSize'), value: <span className="figures">{sizeText(bytes)}</span> },
          { label: t('connections'), value: t('connectionsOf', { connections, most: maxConnections }) },
          { label: t('workPool'), value: poolText(pools.work) },
          { label: t('lookupPool'), value: poolText(pools.lookups) },
          { label: t('bulkPool'), value: poolText(pools.bulk) },
        ]}
      />
      <Text fw={600} mt="md" mb="xs">
        {t('largestTables')}
      </Text>
      <ListTable<Table>
        label={t('largestTables')}
        rows={tables}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'name',
            label: t('table'),
            heading: true,
            render: ({ name }) => <span className="mono">{name}</span>,
          },
          { key: 'rows', label: t('rows'), numeric: true, render: ({ rows }) => format.number(rows) },
          { key: 'size', label: t('size'), numeric: true, render: (table) => sizeText(table.bytes) },
        ]}
      />
    </Section>
  );
}

/** The kinds of background jobs, each with the numbers of its waiting, running and failed jobs. */
export function JobsSection({ queues, upkeep }: Pick<Health, 'queues' | 'upkeep'>) {
  const t = useTranslations('settings');
  const format = useFormatter();
  const jobName = (name: string) => (name in JOB_NAMES ? t(JOB_NAMES[name as JobName]) : name);
  return (
    <Section title={t('background')} description={t('upkeepEvery', { minutes: upkeep.interval_minutes })}>
      {queues === null ? (
        <Text c="dimmed">{t('noQueues')}</Text>
      ) : (
        <ListTable<JobQueue>
          label={t('background')}
          rows={queues}
          rowKey={({ name }) => name}
          columns={[
            { key: 'name', label: t('work'), heading: true, render: ({ name }) => jobName(name) },
            {
              key: 'waiting',
              label: t('waiting'),
              numeric: true,
              render: ({ waiting }) => format.number(waiting),
            },
            {
              key: 'active',
              label: t('running'),
              numeric: true,
              render: ({ active }) => format.number(active),
            },
            {
              key: 'failed',
              label: t('failed'),
              numeric: true,
              render: ({ failed }) => (
                <Text span inherit c={failed > 0 ? 'var(--mantine-color-error)' : undefined}>
                  {format.number(failed)}
                </Text>
              ),
            },
            { key: 'oldest', label: t('waitingSince'), render: ({ oldest }) => <Instant value={oldest} /> },
            { key: 'done', label: t('lastDone'), render: ({ last_done: at }) => <Instant value={at} /> },
          ]}
        />
      )}
    </Section>
  );
}
