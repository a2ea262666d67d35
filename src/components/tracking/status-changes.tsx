'use client';

import { Stack } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type Status, StatusBadge } from '../ui/value/status-badge';
import styles from './tracking.module.css';

/** Shipments whose status has changed, with the old and the new status. */
export function StatusChanges({
  changes,
}: {
  changes: readonly { tracking_number: string; before: Status; after: Status }[];
}) {
  const t = useTranslations('tracking');
  return (
    <Stack gap={4}>
      {changes.map(({ tracking_number: number, before, after }) => (
        <span key={number} className={styles.change}>
          <span className="mono">{number}</span>
          <StatusBadge status={before} />
          <IconArrowRight size={14} role="img" aria-label={t('change.to')} />
          <StatusBadge status={after} />
        </span>
      ))}
    </Stack>
  );
}
