'use client';

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { FormDrawer } from '../../ui/form/form-drawer';

type Order = RouterOutputs['orders']['one'];

/** Loads the schema of one shipment in the input of `setTracking`, without the order number. */
const loadShipmentSchema = () =>
  import('../../../server/orders/tracking/schema').then((module) =>
    module.setTrackingInput.shape.rows.element.omit({ receipt_id: true }),
  );

/** Adds a tracking number to the order. */
export function AddTracking({ order }: { order: Order }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState(false);
  const setTracking = useMutation(
    trpc.orders.setTracking.mutationOptions({
      onSuccess: ({ added }) => {
        notifications.show({ message: t(added > 0 ? 'tracking.added' : 'tracking.unchanged') });
        return queryClient.invalidateQueries(trpc.orders.pathFilter());
      },
      ...SHOWS_OWN_ERROR,
    }),
  );
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpened(true)}>
        {t('tracking.add')}
      </Button>
      <FormDrawer
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('tracking.add')}
        draftKey={`tracking number ${order.id}`}
        loadSchema={loadShipmentSchema}
        initialValues={{ tracking_number: '', carrier_code: '' }}
        fields={[
          { name: 'tracking_number', label: t('tracking.number'), required: true, mono: true },
          { name: 'carrier_code', label: t('tracking.carrier'), description: t('tracking.carrierHint') },
        ]}
        action={t('tracking.add')}
        onSubmit={async (shipment) => {
          const rows = [{ receipt_id: order.receipt_id, ...shipment }];
          await setTracking.mutateAsync({ shop_id: order.shop_id, rows });
        }}
      />
    </>
  );
}
