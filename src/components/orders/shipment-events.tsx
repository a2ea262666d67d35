'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { RouterOutputs } from '../api/router-types';
import { CopyId } from '../ui/value/copy-id';
import { Instant } from '../ui/value/instant';
import { StatusBadge } from '../ui/value/status-badge';
import { SubStatusName } from '../ui/value/sub-status';
import styles from './order-page.module.css';

type Shipment = RouterOutputs['orders']['one']['shipments'][number];

type ShipmentEvent = Shipment['events'][number];

/** How many events are shown before the user expands the list. */
const FIRST_EVENTS = 6;

/** Drops events that only repeat another's status at the same instant, as carriers do in summaries. */
function tellingEvents(events: Shipment['events']): Shipment['events'] {
  const telling = events.filter(
    ({ kind, description, location }) => kind === 'correction' || description || location,
  );
  const shown = new Set(telling.map((event) => `${event.occurred_at} ${event.status}`));
  return events.filter(
    (event) => telling.includes(event) || !shown.has(`${event.occurred_at} ${event.status}`),
  );
}

/** A shipment with its events, newest first. */
export function ShipmentEvents({
  parcel,
  actions,
  eventActions,
}: {
  parcel: Shipment;
  /** Beside the tracking number. */
  actions?: ReactNode;
  /** Beside an event. */
  eventActions?: ((event: ShipmentEvent) => ReactNode) | undefined;
}) {
  const t = useTranslations('order');
  const [all, setAll] = useState(false);
  const { tracking_number: number, carrier_code: carrier, status } = parcel;
  const events = tellingEvents(parcel.events);
  const shown = all ? events : events.slice(0, FIRST_EVENTS);
  return (
    <div>
      <Group gap="sm">
        <CopyId value={number} />
        {carrier && <span>{carrier}</span>}
        <StatusBadge status={status} />
        {parcel.sub_status && (
          <Text span c="dimmed">
            <SubStatusName subStatus={parcel.sub_status} />
          </Text>
        )}
        {actions}
      </Group>
      {events.length === 0 ? (
        <Text c="dimmed" mt="sm">
          {t('parcels.noEvents')}
        </Text>
      ) : (
        <ol className={styles.events} aria-label={t('parcels.events', { number })}>
          {shown.map((event) => (
            <li key={event.id} className={styles.event}>
              <Instant value={event.occurred_at} />
              <span>{event.status ? <StatusBadge status={event.status} /> : '–'}</span>
              <span>
                <EventWords event={event} />
                {event.location && <span className={styles.place}> · {event.location}</span>}
                {eventActions?.(event)}
              </span>
            </li>
          ))}
        </ol>
      )}
      {events.length > FIRST_EVENTS && (
        <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setAll(!all)}>
          {all ? t('parcels.fewer') : t('parcels.all', { count: events.length })}
        </Button>
      )}
    </div>
  );
}

/** The text of an event: the carrier's words, otherwise its sub-status. A manual correction may give its reason. */
function EventWords({ event }: { event: ShipmentEvent }) {
  const t = useTranslations('order');
  const { kind, description, provider_status: word, sub_status: subStatus } = event;
  if (kind === 'correction')
    return description ? `${t('parcelStatus.byPerson')}: ${description}` : t('parcelStatus.byPerson');
  return description ?? word ?? (subStatus ? <SubStatusName subStatus={subStatus} /> : '–');
}
