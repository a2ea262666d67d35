'use client';

import { Button, Group, Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { LATE_DAYS, NOT_SCANNED_DAYS, type QueueName } from '../../server/queues/queue';
import { PAGE_NAMES } from '../shell/navigation';
import styles from './queue.module.css';

const SCOPES = messageKeys('queues', {
  to_ship: 'scope.to_ship',
  late: 'scope.late',
  exception: 'scope.exception',
  delivery_failed: 'scope.delivery_failed',
  not_scanned: 'scope.not_scanned',
});

/** The name of a queue with its count, and what is counted. */
export function QueueHeading({ queue, count }: { queue: QueueName; count: number | undefined }) {
  const t = useTranslations('queues');
  const shell = useTranslations('shell');
  const format = useFormatter();
  return (
    <>
      <Title order={1}>
        {shell(PAGE_NAMES[queue])}{' '}
        {count !== undefined && <span className={`figures ${styles.number}`}>{format.number(count)}</span>}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(SCOPES[queue], { days: queue === 'late' ? LATE_DAYS : NOT_SCANNED_DAYS })}
      </Text>
    </>
  );
}

/** The pages of a queue; absent if it fits on one. */
export function Pages({
  address,
  next,
}: {
  address: { cursor: string | undefined; goNext: (cursor: string) => void; goPrevious: () => void };
  next: string | null;
}) {
  const t = useTranslations('common');
  if (!address.cursor && !next) return null;
  return (
    <Group justify="flex-end" gap="sm" p="sm">
      <Button variant="default" size="compact-sm" disabled={!address.cursor} onClick={address.goPrevious}>
        {t('list.previous')}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        disabled={!next}
        onClick={() => next && address.goNext(next)}
      >
        {t('list.next')}
      </Button>
    </Group>
  );
}
