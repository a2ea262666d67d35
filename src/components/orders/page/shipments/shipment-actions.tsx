'use client';

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { TRACKING_STATUSES } from '../../../../server/core/statuses';
import { hasPermission } from '../../../../server/identity/roles';
import { useTRPC } from '../../../api/client';
import { SHOWS_OWN_ERROR } from '../../../api/page-queries';
import type { RouterOutputs } from '../../../api/router-types';
import { useBackOffice } from '../../../shell/back-office';
import { ConfirmAction } from '../../../ui/form/confirm-action';
import { FormDrawer } from '../../../ui/form/form-drawer';
import { RowMenu } from '../../../ui/list/table/row-menu';
import { useStatusName, useStatusOptions } from '../../../ui/value/status-badge';

type Order = RouterOutputs['orders']['one'];

type Shipment = Order['shipments'][number];

const valuesOf = ({ status }: Pick<Shipment, 'status'>) => ({ status, note: '' });

const loadStatusSchema = () =>
  import('../../../../server/tracking/shipments/schema').then((module) =>
    module.setShipmentStatusInput.omit({ tracking_number: true, shown: true }),
  );

/** Returns a function that reloads orders, shipments and queues. */
function useReloadShipments(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [trpc.orders, trpc.shipments, trpc.queues].map((router) =>
        queryClient.invalidateQueries(router.pathFilter()),
      ),
    );
}

/** The actions for a shipment of an order: set its status, and remove its number from the order. */
export function ShipmentActions({ orderId, shipment }: { orderId: string; shipment: Shipment }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const { user } = useBackOffice();
  const statusName = useStatusName();
  const statusOptions = useStatusOptions();
  const reloadShipments = useReloadShipments();
  const [opened, setOpened] = useState(false);
  const { tracking_number: number } = shipment;
  const setStatus = useMutation(
    trpc.shipments.setStatus.mutationOptions({ onSuccess: reloadShipments, ...SHOWS_OWN_ERROR }),
  );
  const removeNumber = useMutation(
    trpc.orders.removeTracking.mutationOptions({ onSuccess: reloadShipments }),
  );
  return (
    <>
      <RowMenu
        name={number}
        actions={[
          hasPermission(user.role, 'tracking.write') && {
            label: t('shipmentStatus.set'),
            onClick: () => setOpened(true),
          },
          {
            label: t('tracking.remove'),
            confirm: {
              message: (
                <>
                  <p>{t('tracking.removeTitle', { number })}</p>
                  <p>{t('tracking.removeHint')}</p>
                </>
              ),
              destructive: true,
              onConfirm: async () => {
                const { status } = await removeNumber.mutateAsync({ id: orderId, tracking_number: number });
                notifications.show({
                  message: t('tracking.removed', { number, status: statusName(status) }),
                });
              },
            },
          },
        ]}
      />
      <FormDrawer
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('shipmentStatus.title', { number })}
        draftKey={`shipment status ${number}`}
        loadSchema={loadStatusSchema}
        initialValues={valuesOf(shipment)}
        edit={{ shown: { status: shipment.status }, valuesOf }}
        fields={[
          {
            name: 'status',
            label: t('shipmentStatus.status'),
            description: t('shipmentStatus.hint'),
            kind: 'select',
            required: true,
            options: statusOptions(TRACKING_STATUSES),
          },
          { name: 'note', label: t('shipmentStatus.note'), description: t('shipmentStatus.noteHint') },
        ]}
        action={t('shipmentStatus.set')}
        onSubmit={async (correction, shown) => {
          const { status } = await setStatus.mutateAsync({ tracking_number: number, ...correction, shown });
          notifications.show({ message: t('shipmentStatus.done', { number, status: statusName(status) }) });
        }}
      />
    </>
  );
}

/** A button that undoes a manually set status. */
export function UndoCorrection({ number, event }: { number: string; event: Shipment['events'][number] }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const statusName = useStatusName();
  const undoCorrection = useMutation(
    trpc.shipments.undoCorrection.mutationOptions({ onSuccess: useReloadShipments() }),
  );
  return (
    <ConfirmAction
      title={t('shipmentStatus.takeBackTitle', { status: event.status ? statusName(event.status) : '–' })}
      message={t('shipmentStatus.takeBackHint')}
      action={t('shipmentStatus.takeBack')}
      onConfirm={() => undoCorrection.mutateAsync({ tracking_number: number, event_id: event.id })}
    >
      {(ask) => (
        <Button variant="subtle" size="compact-xs" ml="xs" onClick={ask}>
          {t('shipmentStatus.takeBack')}
        </Button>
      )}
    </ConfirmAction>
  );
}

/** A button that restores a tracking number that was removed from the order. */
export function RestoreNumber({ orderId, number }: { orderId: string; number: string }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const reloadShipments = useReloadShipments();
  const restoreNumber = useMutation(
    trpc.orders.restoreTracking.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: t('tracking.isBack', { number }) });
        return reloadShipments();
      },
    }),
  );
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      loading={restoreNumber.isPending}
      onClick={() => restoreNumber.mutate({ id: orderId, tracking_number: number })}
    >
      {t('tracking.putBack')}
    </Button>
  );
}
