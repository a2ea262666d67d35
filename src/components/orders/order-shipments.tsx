'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { mayDo } from '../../server/identity/roles';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import { CopyId } from '../ui/value/copy-id';
import { Instant } from '../ui/value/instant';
import { StatusBadge } from '../ui/value/status-badge';
import { SubStatusName } from '../ui/value/sub-status';
import styles from './order-page.module.css';
import { ShipmentActions, TakeBackStatus } from './shipment-actions';

type Order = RouterOutputs['orders']['one'];

type Shipment = Order['shipments'][number];

/** How many events are shown before the user expands the list. */
const FIRST_EVENTS = 6;

/** The shipments of an order, each with its events, newest first. */
export function OrderShipments({ order, mayWrite }: { order: Order; mayWrite: boolean }) {
  const t = useTranslations('order');
  const { shipments: parcels } = order;
  if (parcels.length === 0) return <Text c="dimmed">{t('parcels.none')}</Text>;
  return (
    <Stack gap="lg">
      {parcels.map((parcel) => (
        <OrderShipment key={parcel.tracking_number} orderId={order.id} parcel={parcel} mayWrite={mayWrite} />
      ))}
    </Stack>
  );
}

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

function OrderShipment({
  orderId,
  parcel,
  mayWrite,
}: {
  orderId: string;
  parcel: Shipment;
  mayWrite: boolean;
}) {
  const t = useTranslations('order');
  const { person } = useDesk();
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
        {mayWrite && <ShipmentActions orderId={orderId} parcel={parcel} />}
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
                {event.kind === 'correction' && mayDo(person.role, 'tracking.write') && (
                  <TakeBackStatus number={number} event={event} />
                )}
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
function EventWords({ event }: { event: Shipment['events'][number] }) {
  const t = useTranslations('order');
  const { kind, description, provider_status: word, sub_status: subStatus } = event;
  if (kind === 'correction')
    return description ? `${t('parcelStatus.byPerson')}: ${description}` : t('parcelStatus.byPerson');
  return description ?? word ?? (subStatus ? <SubStatusName subStatus={subStatus} /> : '–');
}
