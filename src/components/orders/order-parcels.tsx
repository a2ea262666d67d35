'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { CopyId } from '../ui/value/copy-id';
import { Instant } from '../ui/value/instant';
import { StatusBadge } from '../ui/value/status-badge';
import type { Order } from './order-page';
import styles from './order-page.module.css';

type Parcel = Order['shipments'][number];

/** Events that are shown before more are asked for. */
const FIRST_EVENTS = 6;

/** The parcels of an order, each with where it has been, the latest first. */
export function OrderParcels({ parcels }: { parcels: readonly Parcel[] }) {
  const t = useTranslations('order');
  if (parcels.length === 0) return <Text c="dimmed">{t('parcels.none')}</Text>;
  return (
    <Stack gap="lg">
      {parcels.map((parcel) => (
        <OrderParcel key={parcel.tracking_number} parcel={parcel} />
      ))}
    </Stack>
  );
}

/** Without those that only repeat the status of another at the same instant, as carriers sum up what they tell. */
function tellingEvents(events: Parcel['events']): Parcel['events'] {
  const telling = events.filter(({ description, location }) => description || location);
  const told = new Set(telling.map((event) => `${event.occurred_at} ${event.status}`));
  return events.filter(
    (event) => telling.includes(event) || !told.has(`${event.occurred_at} ${event.status}`),
  );
}

function OrderParcel({ parcel }: { parcel: Parcel }) {
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
      </Group>
      {events.length === 0 ? (
        <Text c="dimmed" mt="sm">
          {t('parcels.noEvents')}
        </Text>
      ) : (
        <ol className={styles.events} aria-label={t('parcels.events', { number })}>
          {shown.map((event, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: carriers tell the same event twice
            <li key={index} className={styles.event}>
              <Instant value={event.occurred_at} />
              <span>{event.status ? <StatusBadge status={event.status} /> : '–'}</span>
              <span>
                {event.description ?? event.provider_status ?? '–'}
                {event.location && <span className={styles.place}> · {event.location}</span>}
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
