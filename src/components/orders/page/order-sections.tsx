'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { Section } from '../../ui/page/detail-page';
import { Instant } from '../../ui/value/time/instant';
import { OrderAddress } from './order-address';
import { OrderItems } from './order-items';
import styles from './order-sections.module.css';
import { ShipmentEvents } from './shipments/shipment-events';

type Order = RouterOutputs['orders']['one'];

/** A read-only view of an order for the panel beside a list: its shipments, items, address and notes. */
export function OrderSections({ order }: { order: Order }) {
  const t = useTranslations('order');
  return (
    <div className={styles.frame}>
      <div className={styles.parts}>
        <Stack gap={0} miw={0}>
          {order.shipments.length > 0 && (
            <Section title={t('shipments.title')}>
              <Stack gap="lg">
                {order.shipments.map((shipment) => (
                  <ShipmentEvents key={shipment.tracking_number} shipment={shipment} />
                ))}
              </Stack>
            </Section>
          )}
          <Section title={t('items.title')}>
            <OrderItems order={order} />
          </Section>
        </Stack>
        <Stack gap={0} miw={0}>
          <OrderAddress order={order} />
          {order.notes.length > 0 && (
            <Section title={t('notes.title')}>
              <ul className={styles.notes}>
                {order.notes.map((note) => (
                  <li key={note.id}>
                    <p>{note.text}</p>
                    <span className={styles.details}>
                      <span>{note.author}</span>
                      <Instant value={note.created_at} brief />
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </Stack>
      </div>
    </div>
  );
}
