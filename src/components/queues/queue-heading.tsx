'use client';

import { Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import { LATE_DAYS, NOT_SCANNED_DAYS, type QueueName } from '../../server/queues/queue';
import { PAGE_NAMES } from '../shell/navigation/navigation';
import styles from './queue.module.css';

const SCOPE_TEXTS = messageKeys('queues', {
  to_ship: 'scope.to_ship',
  late: 'scope.late',
  exception: 'scope.exception',
  delivery_failed: 'scope.delivery_failed',
  not_scanned: 'scope.not_scanned',
  to_review: 'scope.to_review',
  unmatched: 'scope.unmatched',
}) satisfies Record<QueueName, string>;

interface Props {
  queue: QueueName;
  /** The number of open entries of all shops, which is not shown if shops are chosen. */
  count: number | undefined;
  hasChosenShops: boolean;
}

/** The name of a queue with its count, and an explanation of what it contains. */
export function QueueHeading({ queue, count, hasChosenShops }: Props) {
  const t = useTranslations('queues');
  const shell = useTranslations('shell');
  const format = useFormatter();
  return (
    <>
      <Title order={1}>
        {shell(PAGE_NAMES[queue])}{' '}
        {count !== undefined && !hasChosenShops && (
          <span className={`figures ${styles.number}`}>{format.number(count)}</span>
        )}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(SCOPE_TEXTS[queue], {
          days: queue === 'late' ? LATE_DAYS : NOT_SCANNED_DAYS,
          shops: hasChosenShops ? 'chosen' : 'all',
        })}
      </Text>
    </>
  );
}
