'use client';

import { Box, Checkbox, Group, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { mayDo } from '../../server/identity/roles';
import type { QueueName } from '../../server/queues/queue';
import { useTRPC } from '../api/client';
import { orderQuery } from '../orders/queries';
import { SetStatus } from '../orders/set-status';
import { AreaLinks } from '../shell/area-links';
import { useDesk } from '../shell/desk';
import { Empty, Failed } from '../ui/list/list-states';
import { useListAddress } from '../ui/list/use-list-address';
import { queueCountsQuery } from './counts-query';
import { entriesQuery, QUEUE_FILTERS } from './queries';
import styles from './queue.module.css';
import { QueueEntry } from './queue-entry';
import { CauseChips, QueueFilters } from './queue-filters';
import { QueueFooter } from './queue-footer';
import { Pages, QueueHeading } from './queue-heading';
import { ENTRY_LINKS, entryLink, QueueList } from './queue-list';
import { snoozeTimes } from './snooze-times';
import { useChosen } from './use-chosen';
import { type Entry, useQueueWork } from './use-queue-work';
import { useShortcuts } from './use-shortcuts';
import { type OpenMenu, WorkActions } from './work-actions';

const NoteDialog = dynamic(() => import('./note-dialog').then((module) => module.NoteDialog), { ssr: false });

const NONE: readonly Entry[] = [];

/** A work queue: its entries on the left, the order of the chosen one on the right, all of it by keyboard. */
export function QueuePage({ queue }: { queue: QueueName }) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const { prefix, person } = useDesk();
  const mayWrite = mayDo(person.role, 'orders.write');
  const address = useListAddress(QUEUE_FILTERS);
  const query = entriesQuery(trpc, queue, address);
  const { data, error, refetch, isPlaceholderData: isOld } = useQuery(query);
  const { data: counts } = useQuery(queueCountsQuery(trpc));
  const entries = data?.entries ?? NONE;
  const chosen = useChosen(entries);
  const [said, say] = useState('');
  const [menu, setMenu] = useState<OpenMenu>(null);
  const [noting, setNoting] = useState<Entry | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const work = useQueueWork(queue, query.queryKey, say);

  const selected = entries.filter(({ order_id: id }) => marked.has(id));
  const subject = selected.length > 0 ? selected : chosen.entry ? [chosen.entry] : [];
  const isOpen = address.filters.state === undefined;
  const mayAct = mayWrite && !isOld && subject.length > 0;

  /** Acts on entries that leave the list, and shows the next one. */
  const finish = (act: (subject: readonly Entry[]) => Promise<unknown>) => {
    if (!mayAct) return;
    setMenu(null);
    setMarked(new Set());
    chosen.leave(new Set(subject.map(({ order_id: id }) => id)));
    // A failure is shown by the client, and the list is loaded again.
    act(subject).catch(() => undefined);
  };
  const mark = (id: string) =>
    setMarked(
      (known) => new Set(known.has(id) ? [...known].filter((other) => other !== id) : [...known, id]),
    );
  const id = chosen.entry?.order_id;

  const snooze = (until: Date) => finish((each) => work.snooze(each, until));
  /** A number that is pressed before the menu has the focus. */
  const ofMenu = (index: number) => () => {
    const time = menu === 'snooze' ? snoozeTimes()[index] : undefined;
    if (time) snooze(time.until);
  };

  useShortcuts(
    {
      1: ofMenu(0),
      2: ofMenu(1),
      3: ofMenu(2),
      j: () => chosen.move(1),
      k: () => chosen.move(-1),
      enter: () => id && router.push(`${prefix}/orders/${id}`),
      ...(mayWrite && {
        ' ': () => id && mark(id),
        x: () => id && mark(id),
        h: isOpen ? () => finish(work.handle) : undefined,
        s: isOpen ? () => mayAct && setMenu('snooze') : undefined,
        a: isOpen ? () => mayAct && setMenu('assign') : undefined,
        n: () => chosen.entry && setNoting(chosen.entry),
        u: () => work.undo().catch(() => undefined),
      }),
    },
    ENTRY_LINKS,
  );

  // Once the reader goes from entry to entry, the ones beside are loaded before they are asked for.
  const index = entries.findIndex((entry) => entry.order_id === id);
  const beside = [entries[index + 1]?.order_id, entries[index - 1]?.order_id].filter(Boolean).join(',');
  useEffect(() => {
    if (!chosen.isAsked || beside === '') return;
    for (const next of beside.split(','))
      queries.query({ ...orderQuery(trpc, next), staleTime: 10_000 }).catch(() => undefined);
  }, [beside, chosen.isAsked, queries, trpc]);

  const actions = mayWrite && (
    <WorkActions
      menu={menu}
      onMenu={(next) => {
        setMenu(next);
        if (next === null && id) entryLink(id)?.focus();
      }}
      disabled={!mayAct}
      isOpen={isOpen}
      onHandle={() => finish(work.handle)}
      onPutBack={() => finish(work.putBack)}
      onSnooze={snooze}
      onAssign={(to) => {
        setMenu(null);
        work.assign(subject, to).catch(() => undefined);
      }}
    />
  );
  const open = counts && Object.fromEntries(counts.queues.map((each) => [each.queue, each.open]));
  return (
    <>
      <AreaLinks area="queues" keep={['shop', 'assigned']} counts={open} />
      <QueueHeading queue={queue} count={open?.[queue]} />
      <QueueFilters address={address} />
      <CauseChips address={address} causes={data?.causes ?? []} />
      <p role="status" className="heard">
        {said}
      </p>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : data && entries.length === 0 ? (
        <Empty address={address} empty={{ title: t('done.title'), hint: t('done.hint') }} />
      ) : (
        <div className={styles.panes} data-asked={chosen.isAsked || undefined} aria-busy={isOld}>
          <div className={styles.list}>
            {mayWrite && (
              <Group gap="sm" className={styles.bulk}>
                <Checkbox
                  size="xs"
                  aria-label={t('selectAll')}
                  checked={selected.length > 0 && selected.length === entries.length}
                  indeterminate={selected.length > 0 && selected.length < entries.length}
                  onChange={() =>
                    setMarked(new Set(selected.length > 0 ? [] : entries.map((entry) => entry.order_id)))
                  }
                />
                <Text size="sm" role="status">
                  {t('selected', { count: selected.length })}
                </Text>
                {selected.length > 0 && actions}
                {selected.length > 0 && (
                  <SetStatus
                    ids={selected.map((entry) => entry.order_id)}
                    onDone={() => setMarked(new Set())}
                  />
                )}
              </Group>
            )}
            {data ? (
              <QueueList
                label={t('title')}
                entries={entries}
                chosen={id}
                selected={marked}
                hrefOf={chosen.hrefOf}
                onChoose={chosen.choose}
                onSelect={mayWrite ? mark : undefined}
              />
            ) : (
              <Skeleton height={400} />
            )}
            <Pages address={address} next={data?.next ?? null} />
          </div>
          <Box className={styles.detail}>
            {chosen.entry && (
              <QueueEntry
                entry={chosen.entry}
                actions={selected.length === 0 && actions}
                onNote={() => setNoting(chosen.entry ?? null)}
                onBack={() => chosen.choose(null)}
              />
            )}
          </Box>
        </div>
      )}
      <QueueFooter handled={counts?.handled_today} mayWrite={mayWrite} />
      {noting && (
        <NoteDialog orderId={noting.order_id} receipt={noting.receipt_id} onClose={() => setNoting(null)} />
      )}
    </>
  );
}
