'use client';

import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../../api/router-types';
import { ShipmentActions } from './shipment-actions';
import { ShipmentHead } from './shipment-events';

/** The shipments of an order. Their events are in the timeline. */
export function OrderShipments({
  order,
  canWrite,
}: {
  order: RouterOutputs['orders']['one'];
  canWrite: boolean;
}) {
  const t = useTranslations('order');
  if (order.shipments.length === 0) return <Text c="dimmed">{t('shipments.none')}</Text>;
  return (
    <Stack gap="md">
      {order.shipments.map((shipment) => (
        <div key={shipment.tracking_number}>
          <ShipmentHead
            shipment={shipment}
            actions={canWrite && <ShipmentActions orderId={order.id} shipment={shipment} />}
          />
          {shipment.events.length === 0 && <Text c="dimmed">{t('shipments.noEvents')}</Text>}
        </div>
      ))}
    </Stack>
  );
}
