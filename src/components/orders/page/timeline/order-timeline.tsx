'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { messageKeys } from '../../../../i18n/message-keys';
import { hasPermission } from '../../../../server/identity/roles';
import type { RouterOutputs } from '../../../api/router-types';
import { useBackOffice } from '../../../shell/back-office';
import { StatusBadge } from '../../../ui/value/status-badge';
import { Instant } from '../../../ui/value/time/instant';
import { NewNote, NoteEntry } from '../order-notes';
import { UndoCorrection } from '../shipments/shipment-actions';
import { EventText } from '../shipments/shipment-events';
import { HistoryEntry } from './order-history';
import styles from './order-timeline.module.css';
import { TIMELINE_KINDS, type TimelineEntry, type TimelineKind, timelineOf } from './timeline';

type Order = RouterOutputs['orders']['one'];

const KIND_NAMES = messageKeys('order', {
  all: 'timeline.all',
  tracking: 'timeline.tracking',
  changes: 'timeline.changes',
  messages: 'timeline.messages',
  notes: 'timeline.notes',
});

/** How many entries are shown at first, and how many each "Show earlier" adds. */
const PAGE_SIZE = 20;

/** The timeline of an order, newest first, below a form for a new note if `canWrite`. */
export function OrderTimeline({ order, canWrite }: { order: Order; canWrite: boolean }) {
  const t = useTranslations('order');
  const [kind, setKind] = useState<TimelineKind | 'all'>('all');
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const allEntries = timelineOf(order);
  const entries = kind === 'all' ? allEntries : allEntries.filter((entry) => entry.kind === kind);
  return (
    <Stack gap="md">
      {canWrite && <NewNote orderId={order.id} />}
      <fieldset className={styles.kinds} aria-label={t('timeline.show')}>
        {(['all', ...TIMELINE_KINDS] as const).map((choice) => (
          <Button
            key={choice}
            size="compact-sm"
            variant={choice === kind ? 'light' : 'default'}
            aria-pressed={choice === kind}
            onClick={() => {
              setKind(choice);
              setVisibleCount(PAGE_SIZE);
            }}
          >
            {t(KIND_NAMES[choice])}
          </Button>
        ))}
      </fieldset>
      {entries.length === 0 ? (
        <Text c="dimmed">{t('timeline.none')}</Text>
      ) : (
        <ol className={styles.timeline} aria-label={t('timeline.title')}>
          {entries.slice(0, visibleCount).map((entry) => (
            <li key={entry.key} data-kind={entry.kind}>
              <Entry entry={entry} order={order} canWrite={canWrite} />
            </li>
          ))}
        </ol>
      )}
      {entries.length > visibleCount && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={styles.more}
          onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}
        >
          {t('timeline.earlier', { count: Math.min(entries.length - visibleCount, PAGE_SIZE) })}
        </Button>
      )}
    </Stack>
  );
}

function Entry({ entry, order, canWrite }: { entry: TimelineEntry; order: Order; canWrite: boolean }) {
  if (entry.kind === 'tracking') return <EventEntry entry={entry} />;
  if (entry.kind === 'notes') return <NoteEntry orderId={order.id} note={entry.note} canWrite={canWrite} />;
  return <HistoryEntry order={order} entry={entry.change} canWrite={canWrite} />;
}

/** An event reported by a carrier, or a status set by a user, with a button to undo it if the reader may do so. */
function EventEntry({ entry }: { entry: TimelineEntry & { kind: 'tracking' } }) {
  const { user } = useBackOffice();
  const { event, shipment } = entry;
  const { tracking_number: number, carrier_code: carrierCode } = shipment;
  const canUndo = event.kind === 'correction' && hasPermission(user.role, 'tracking.write');
  return (
    <>
      <div>
        {event.status && <StatusBadge status={event.status} />} <EventText event={event} />
        {event.location && <span className={styles.quiet}> · {event.location}</span>}
        {canUndo && <UndoCorrection number={number} event={event} />}
      </div>
      <Byline at={event.occurred_at}>
        {[event.kind === 'correction' ? null : carrierCode, number].filter(Boolean).join(' ')}
      </Byline>
    </>
  );
}

/** When an event happened, then `children`: the carrier, if a carrier reported the event, and the tracking number. */
function Byline({ at, children }: { at: string; children: ReactNode }) {
  return (
    <div className={styles.quiet}>
      <Instant value={at} /> · {children}
    </div>
  );
}
