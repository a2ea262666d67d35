'use client';

import { Anchor, Button, Group, Text } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { RouterOutputs } from '../../../api/router-types';
import { useBackOffice } from '../../../shell/back-office';
import { findCarrierPage } from '../../../tracking/carrier-page';
import { CopyableText } from '../../../ui/value/copyable-text';
import { StatusBadge } from '../../../ui/value/status-badge';
import { SubStatusName } from '../../../ui/value/sub-status';
import { Instant } from '../../../ui/value/time/instant';
import styles from '../order-page.module.css';
import { withoutRepeats } from '../timeline/timeline';

type Shipment = RouterOutputs['orders']['one']['shipments'][number];

type ShipmentEvent = Shipment['events'][number];

/** How many events are shown before the user expands the list. */
const INITIAL_EVENT_COUNT = 6;

/**
 * A shipment's header: its number, its status, its carrier, with a link to the carrier's tracking page if there is one, and the
 * other orders that have the number.
 */
export function ShipmentHead({
  shipment,
  actions,
}: {
  shipment: Shipment;
  /** Shown at the end of the line. */
  actions?: ReactNode;
}) {
  const t = useTranslations('order');
  const { tracking_number: number, carrier_code: carrierCode } = shipment;
  const { prefix } = useBackOffice();
  const page = findCarrierPage(carrierCode, number);
  return (
    <>
      <Group gap="sm">
        <CopyableText value={number} />
        {page ? (
          <Anchor href={page.href} target="_blank" rel="noreferrer" className="tap-area">
            {t('shipments.carrierPage', page)}
          </Anchor>
        ) : (
          carrierCode && <span>{carrierCode}</span>
        )}
        <StatusBadge status={shipment.status} />
        {shipment.sub_status && (
          <Text span c="dimmed">
            <SubStatusName subStatus={shipment.sub_status} />
          </Text>
        )}
        {actions}
      </Group>
      {shipment.other_orders.map(({ id, receipt_id: receiptId, shop }) => (
        <Text key={id} c="dimmed">
          {t.rich('shipments.otherOrder', {
            receipt: receiptId,
            shop,
            link: (chunks) => (
              <Anchor component={Link} href={`${prefix}/orders/${id}`} prefetch={false} className="tap-line">
                {chunks}
              </Anchor>
            ),
          })}
        </Text>
      ))}
    </>
  );
}

/** A shipment with its events, newest first and without repeats. */
export function ShipmentEvents({ shipment }: { shipment: Shipment }) {
  const t = useTranslations('order');
  const [showsAll, setShowsAll] = useState(false);
  const { tracking_number: number } = shipment;
  const events = withoutRepeats(shipment.events);
  const visibleEvents = showsAll ? events : events.slice(0, INITIAL_EVENT_COUNT);
  return (
    <div>
      <ShipmentHead shipment={shipment} />
      {events.length === 0 ? (
        <Text c="dimmed" mt="sm">
          {t('shipments.noEvents')}
        </Text>
      ) : (
        <ol className={styles.events} aria-label={t('shipments.events', { number })}>
          {visibleEvents.map((event) => (
            <li key={event.id} className={styles.event}>
              <Instant value={event.occurred_at} />
              <span>{event.status ? <StatusBadge status={event.status} /> : '–'}</span>
              <span>
                <EventText event={event} />
                {event.location && <span className={styles.location}> · {event.location}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
      {events.length > INITIAL_EVENT_COUNT && (
        <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('shipments.fewer') : t('shipments.all', { count: events.length })}
        </Button>
      )}
    </div>
  );
}

/**
 * The text of an event: the carrier's description, otherwise the carrier's status, otherwise the sub-status. For a correction:
 * that a user set the status, and the user's note if there is one.
 */
export function EventText({ event }: { event: ShipmentEvent }) {
  const t = useTranslations('order');
  const common = useTranslations('common');
  const { kind, description, provider_status: providerStatus, sub_status: subStatus } = event;
  if (kind === 'correction')
    return description
      ? common('labelled', { label: t('shipmentStatus.byPerson'), text: description })
      : t('shipmentStatus.byPerson');
  return description ?? providerStatus ?? (subStatus ? <SubStatusName subStatus={subStatus} /> : '–');
}
