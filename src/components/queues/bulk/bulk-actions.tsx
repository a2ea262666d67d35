'use client';

import { Checkbox, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { QueueName } from '../../../server/queues/queue';
import { onDemand } from '../../api/on-demand';
import styles from '../queue.module.css';
import type { Entry } from '../use-queue-work';

// Loaded on demand, because most visits select no entries.
const MoreActions = onDemand(() => import('./more-actions').then((module) => module.MoreActions));

interface Props {
  queue: QueueName;
  entries: readonly Entry[];
  selectedEntries: readonly Entry[];
  onSelect: (ids: readonly string[]) => void;
  /** Mark as handled, Snooze and Assign for the selected entries; Put back if they are handled or snoozed. */
  actions: ReactNode;
  onNote: () => void;
  onQueryCarrier: () => void;
}

/** A checkbox that selects all shown entries or clears the selection, and the actions for the selected entries. */
export function BulkActions({
  queue,
  entries,
  selectedEntries,
  onSelect,
  actions,
  onNote,
  onQueryCarrier,
}: Props) {
  const t = useTranslations('queues');
  const count = selectedEntries.length;
  return (
    <Group gap="sm" className={styles.bulk} role="group" aria-label={t('bulk.label')}>
      <Checkbox
        classNames={{ root: styles.check, input: styles.box }}
        size="xs"
        aria-label={t('selectAll')}
        checked={count > 0 && count === entries.length}
        indeterminate={count > 0 && count < entries.length}
        onChange={() => onSelect(count > 0 ? [] : entries.map(({ id }) => id))}
      />
      <Text size="sm" role="status">
        {t('selected', { count })}
      </Text>
      {count > 0 && (
        <>
          {actions}
          <MoreActions
            queue={queue}
            selectedEntries={selectedEntries}
            onDone={() => onSelect([])}
            onNote={onNote}
            onQueryCarrier={onQueryCarrier}
          />
        </>
      )}
    </Group>
  );
}
