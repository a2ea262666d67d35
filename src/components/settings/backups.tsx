'use client';

import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { ListTable } from '../ui/list/table/list-table';
import { Section } from '../ui/page/detail-page';
import { useSizeText } from '../ui/value/size-text';
import { Instant } from '../ui/value/time/instant';

type Backups = RouterOutputs['settings']['health']['backups'];
type StoredBackup = NonNullable<Backups>['stored'][number];

/** The stored daily backups, each with the time at which it was made and its size, or why their folder cannot be read. */
export function BackupsSection({ backups }: { backups: Backups }) {
  const t = useTranslations('settings');
  const sizeText = useSizeText();
  if (backups === null) return <Section title={t('backups')} description={t('backupsOff')} />;
  const { keep, folder, stored: storedBackups, problem } = backups;
  return (
    <Section title={t('backups')} description={t('backupsHint', { keep, folder })}>
      {problem !== null ? (
        <Alert role="alert" color="red" variant="light" c="var(--mantine-color-text)">
          {t('backupsUnreadable', { problem })}
        </Alert>
      ) : storedBackups.length === 0 ? (
        <Text c="dimmed">{t('noBackups')}</Text>
      ) : (
        <ListTable<StoredBackup>
          label={t('backups')}
          rows={storedBackups}
          rowKey={({ name }) => name}
          columns={[
            {
              key: 'name',
              label: t('backupFile'),
              heading: true,
              render: ({ name }) => <span className="mono">{name}</span>,
            },
            { key: 'made', label: t('backupMade'), render: ({ created_at: at }) => <Instant value={at} /> },
            { key: 'size', label: t('databaseSize'), numeric: true, render: ({ bytes }) => sizeText(bytes) },
          ]}
        />
      )}
    </Section>
  );
}
