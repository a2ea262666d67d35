'use client';

import { Box, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { hasPermission } from '../../server/identity/roles';
import { isOrderQueue, type QueueName } from '../../server/queues/queue';
import { useTRPC } from '../api/client';
import { onDemand } from '../api/on-demand';
import { useBackOffice } from '../shell/back-office';
import { AreaLinks } from '../shell/navigation/area-links';
import { useDialogState } from '../ui/dialog/dialog-state';
import { ListFooter } from '../ui/list/list-footer';
import { EmptyState, LoadError } from '../ui/list/list-states';
import { useListUrl } from '../ui/list/use-list-url';
import { useReturnFromEmptyPage } from '../ui/list/use-return-from-empty-page';
import { useReaderZone } from '../ui/value/time/zones';
import { BulkActions } from './bulk/bulk-actions';
import { queueCountsQuery } from './counts-query';
import { QueueEntry } from './entry/queue-entry';
import type { QueueReply as QueueReplyComponent } from './entry/queue-reply';
import { findEntryLink } from './list/entry-links';
import { CauseChips, QueueFilters } from './list/queue-filters';
import { QueueList } from './list/queue-list';
import { useChosenEntry } from './list/use-chosen-entry';
import { usePreloadNeighbours } from './list/use-preload-neighbours';
import { useSelectedEntries } from './list/use-selected-entries';
import { entriesQuery, queueFilters } from './queries';
import styles from './queue.module.css';
import { QueueFooter } from './queue-footer';
import { QueueHeading } from './queue-heading';
import { snoozeTimes } from './snooze-times';
import type { UnmatchedEntry as UnmatchedEntryComponent } from './unmatched/unmatched-entry';
import { useQueueShortcuts } from './use-queue-shortcuts';
import { type Entry, useQueueWork } from './use-queue-work';
import { type OpenMenu, WorkActions } from './work-actions';

const NoteDialog = onDemand(() => import('./entry/note-dialog').then((module) => module.NoteDialog));

const BulkCarrierQuery = onDemand(() =>
  import('./bulk/bulk-carrier-query').then((module) => module.BulkCarrierQuery),
);
const BulkNote = onDemand(() => import('./bulk/bulk-note').then((module) => module.BulkNote));

const NO_ENTRIES: readonly Entry[] = [];

interface Props {
  queue: QueueName;
  /** Shows the reply of an entry; for the queue `to_review`. */
  QueueReply?: typeof QueueReplyComponent;
  /** Shows an entry of the queue `unmatched`. */
  UnmatchedEntry?: typeof UnmatchedEntryComponent;
}

/** A work queue: its entries on the left, the chosen one on the right. Everything works with the keyboard. */
export function QueuePage({ queue, QueueReply, UnmatchedEntry }: Props) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const router = useRouter();
  const { prefix, user } = useBackOffice();
  const canWrite = hasPermission(user.role, 'orders.write');
  const hasOrders = isOrderQueue(queue);
  const zone = useReaderZone();
  const canReply = hasOrders && hasPermission(user.role, 'messages.write');
  const url = useListUrl(queueFilters(queue));
  const query = entriesQuery(trpc, queue, url);
  const { data, error, refetch, isPlaceholderData: isStale } = useQuery(query);
  const { data: counts } = useQuery(queueCountsQuery(trpc));
  const entries = data?.entries ?? NO_ENTRIES;
  const isEmpty = data !== undefined && entries.length === 0;
  const isReturning = useReturnFromEmptyPage(url, isEmpty, isStale);
  // Entries leave the list before the service responds, and those after them are loaded then.
  const isWaiting = isReturning || (isEmpty && data.next !== null);
  const isBusy = isStale || isWaiting;
  const choice = useChosenEntry(entries);
  const [announcement, announce] = useState('');
  const [menu, setMenu] = useState<OpenMenu>(null);
  const noteDialog = useDialogState<readonly Entry[]>();
  const carrierQueryDialog = useDialogState<readonly Entry[]>();
  const selection = useSelectedEntries(entries, url.filters);
  const work = useQueueWork(queue, query.queryKey, announce);

  const selectedEntries = selection.entries;
  const targets = selectedEntries.length > 0 ? selectedEntries : choice.entry ? [choice.entry] : [];
  const areEntriesOpen = url.filters.state === undefined;
  const canAct = canWrite && !isStale && targets.length > 0;

  /** Runs an action that takes the target entries out of the list, and chooses one that remains. */
  const runOnTargets = (act: (targets: readonly Entry[]) => Promise<unknown>) => {
    if (!canAct) return;
    setMenu(null);
    selection.select([]);
    choice.chooseRemainingEntry(new Set(targets.map(({ id }) => id)));
    void act(targets);
  };
  const chosenId = choice.entry?.id;

  const snooze = (until: Date) => runOnTargets((entriesToSnooze) => work.snooze(entriesToSnooze, until));
  /** Returns the handler of a number key that is pressed before the Snooze menu has the focus. */
  const snoozeActionAt = (index: number) => () => {
    const time = menu === 'snooze' ? snoozeTimes(zone)[index] : undefined;
    if (time) snooze(time.until);
  };

  /** Chooses another entry after an action has removed the current one from the queue. */
  const chooseNextEntry = () => chosenId && choice.chooseRemainingEntry(new Set([chosenId]));

  const shortcuts = useQueueShortcuts({
    move: choice.move,
    open: hasOrders ? () => chosenId && router.push(`${prefix}/orders/${chosenId}`) : undefined,
    reply: canReply ? () => chosenId && router.push(`${prefix}/orders/${chosenId}?reply=1`) : undefined,
    work: canWrite
      ? {
          select: () => chosenId && selection.toggle(chosenId),
          note: hasOrders ? () => targets.length > 0 && noteDialog.open(targets) : undefined,
          undo: work.undo,
          openEntryActions: areEntriesOpen
            ? {
                handle: () => runOnTargets(work.handle),
                snooze: () => canAct && setMenu('snooze'),
                assign: () => canAct && setMenu('assign'),
              }
            : undefined,
          snoozeActionAt,
        }
      : undefined,
  });

  usePreloadNeighbours(entries, choice, hasOrders);

  const actions = canWrite && (
    <WorkActions
      menu={menu}
      onMenuChange={(newMenu) => {
        setMenu(newMenu);
        if (newMenu === null && chosenId) findEntryLink(chosenId)?.focus();
      }}
      disabled={!canAct}
      areEntriesOpen={areEntriesOpen}
      onHandle={() => runOnTargets(work.handle)}
      onPutBack={() => runOnTargets(work.putBack)}
      onSnooze={snooze}
      onAssign={(assignee) => {
        setMenu(null);
        void work.assign(targets, assignee);
      }}
    />
  );
  const openCounts = counts && Object.fromEntries(counts.queues.map((count) => [count.queue, count.open]));
  return (
    <>
      <AreaLinks area="queues" keptFilters={['shop', 'assigned']} counts={openCounts} />
      <QueueHeading queue={queue} count={openCounts?.[queue]} hasChosenShops={Boolean(url.filters.shop)} />
      <QueueFilters url={url} hasShops={hasOrders} />
      <CauseChips url={url} causes={data?.causes ?? []} />
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : isEmpty && !isWaiting ? (
        <EmptyState url={url} empty={{ title: t('done.title'), hint: t('done.hint') }} />
      ) : (
        <div className={styles.panes} data-explicit={choice.isExplicit || undefined} aria-busy={isBusy}>
          <div className={styles.list} data-list>
            {canWrite && (
              <BulkActions
                queue={queue}
                entries={entries}
                selectedEntries={selectedEntries}
                onSelect={selection.select}
                actions={actions}
                onNote={() => noteDialog.open(selectedEntries)}
                onQueryCarrier={() => carrierQueryDialog.open(selectedEntries)}
              />
            )}
            {data && !isWaiting ? (
              <QueueList
                label={t('title')}
                entries={entries}
                chosenId={chosenId}
                selectedIds={selection.ids}
                hrefOf={choice.hrefOf}
                onChoose={choice.choose}
                onToggle={canWrite ? selection.toggle : undefined}
              />
            ) : (
              <Skeleton height={400} />
            )}
            {data && (
              <Box p="sm" pt={0}>
                <ListFooter url={url} rowCount={entries.length} nextCursor={data.next} isStale={isBusy} />
              </Box>
            )}
          </div>
          <Box className={styles.detail}>
            {choice.entry &&
              (UnmatchedEntry ? (
                <UnmatchedEntry
                  key={chosenId}
                  entry={choice.entry}
                  actions={selectedEntries.length === 0 && actions}
                  onLinked={chooseNextEntry}
                  onBack={() => choice.choose(null)}
                />
              ) : (
                <QueueEntry
                  entry={choice.entry}
                  QueueReply={QueueReply}
                  actions={selectedEntries.length === 0 && actions}
                  onNote={() => choice.entry && noteDialog.open([choice.entry])}
                  onSent={chooseNextEntry}
                  onBack={() => choice.choose(null)}
                />
              ))}
          </Box>
        </div>
      )}
      <QueueFooter shortcuts={shortcuts} handledTodayCount={canWrite ? counts?.handled_today : undefined} />
      {noteDialog.subject?.length === 1 && (
        <NoteDialog
          key={noteDialog.openCount}
          orderId={noteDialog.subject[0]!.id}
          receiptId={noteDialog.subject[0]!.number}
          opened={noteDialog.opened}
          onClose={noteDialog.close}
        />
      )}
      {noteDialog.subject && noteDialog.subject.length > 1 && (
        <BulkNote
          key={noteDialog.openCount}
          entries={noteDialog.subject}
          opened={noteDialog.opened}
          onClose={noteDialog.close}
        />
      )}
      {carrierQueryDialog.subject && (
        <BulkCarrierQuery
          key={carrierQueryDialog.openCount}
          entries={carrierQueryDialog.subject}
          opened={carrierQueryDialog.opened}
          onClose={carrierQueryDialog.close}
        />
      )}
    </>
  );
}
