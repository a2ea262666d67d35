'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { isOrderQueue, type QueueName } from '../../../server/queues/queue';
import { onDemand } from '../../api/on-demand';
import { SetStatus } from '../../orders/list/set-status';
import { useBackOffice } from '../../shell/back-office';
import type { Entry } from '../use-queue-work';

const BulkMarkSent = onDemand(() => import('./bulk-mark-sent').then((module) => module.BulkMarkSent));

interface Props {
  queue: QueueName;
  selectedEntries: readonly Entry[];
  /** Called when the selection is no longer needed. */
  onDone: () => void;
  onNote: () => void;
  onQueryCarrier: () => void;
}

/** Marking as sent, notes, statuses and carrier queries for the selected entries, as far as the queue and the role have them. */
export function MoreActions({ queue, selectedEntries, onDone, onNote, onQueryCarrier }: Props) {
  const t = useTranslations('queues');
  const { user } = useBackOffice();
  return (
    <>
      {queue === 'to_review' && hasPermission(user.role, 'messages.write') && (
        <BulkMarkSent entries={selectedEntries} onDone={onDone} />
      )}
      {isOrderQueue(queue) && (
        <>
          <Button variant="default" onClick={onNote} aria-keyshortcuts="N">
            {t('bulk.addNote')}
          </Button>
          <SetStatus
            filter={{ ids: selectedEntries.map(({ id }) => id) }}
            count={selectedEntries.length}
            shownOrders={selectedEntries.flatMap(({ id, number, status }) =>
              status === null ? [] : [{ id, receiptId: number, status }],
            )}
            onDone={onDone}
          />
        </>
      )}
      {hasPermission(user.role, 'tracking.write') && (
        <Button variant="default" onClick={onQueryCarrier}>
          {t('actions.ask')}
        </Button>
      )}
    </>
  );
}
