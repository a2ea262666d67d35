'use client';

import { Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { mayDo } from '../../server/identity/roles';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import { ShipmentActions, TakeBackStatus } from './shipment-actions';
import { ShipmentEvents } from './shipment-events';

type Order = RouterOutputs['orders']['one'];

type Shipment = Order['shipments'][number];

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

function OrderShipment({
  orderId,
  parcel,
  mayWrite,
}: {
  orderId: string;
  parcel: Shipment;
  mayWrite: boolean;
}) {
  const { person } = useDesk();
  const { tracking_number: number } = parcel;
  return (
    <ShipmentEvents
      parcel={parcel}
      actions={mayWrite && <ShipmentActions orderId={orderId} parcel={parcel} />}
      eventActions={
        mayDo(person.role, 'tracking.write')
          ? (event) => event.kind === 'correction' && <TakeBackStatus number={number} event={event} />
          : undefined
      }
    />
  );
}
