'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { StatusBadge } from '../ui/value/status-badge';
import { SubStatusName } from '../ui/value/sub-status';
import { Instant } from '../ui/value/time/instant';
import styles from './tracking.module.css';

type ShipmentEvent = RouterOutputs['shipments']['one']['events'][number];

/** The events of a shipment, newest first. An event's status is shown unless the next older event has the same one. */
export function EventTimeline({ events }: { events: readonly ShipmentEvent[] }) {
  return (
    <ol className={styles.timeline}>
      {events.map((event, index) => {
        const isStatusChange = event.status !== null && event.status !== events[index + 1]?.status;
        return (
          <li key={event.id} data-status-change={isStatusChange || undefined}>
            <TimelineEvent event={event} isStatusChange={isStatusChange} />
          </li>
        );
      })}
    </ol>
  );
}

function TimelineEvent({ event, isStatusChange }: { event: ShipmentEvent; isStatusChange: boolean }) {
  const t = useTranslations('tracking');
  const { prefix } = useBackOffice();
  const { kind, location, provider_status: providerStatus, record_id: recordId } = event;
  return (
    <>
      <div className={styles.head}>
        <Instant value={event.occurred_at} />
        {isStatusChange && event.status && <StatusBadge status={event.status} />}
      </div>
      {event.description && <div>{event.description}</div>}
      <div className={styles.meta}>
        {location && <span>{location}</span>}
        {kind !== 'event' && (
          <span>{kind === 'correction' ? t('shipment.correction') : t('shipment.snapshot')}</span>
        )}
        {event.sub_status && (
          <span>
            <SubStatusName subStatus={event.sub_status} />
          </span>
        )}
        {providerStatus && <span>{t('shipment.providerStatus', { providerStatus })}</span>}
        {recordId && (
          <Anchor
            component={Link}
            href={`${prefix}/tracking/callbacks/${recordId}`}
            prefetch={false}
            inherit
            className="tap-line"
          >
            {t('shipment.fromCallback', { id: recordId })}
          </Anchor>
        )}
      </div>
    </>
  );
}
