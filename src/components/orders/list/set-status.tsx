'use client';

import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ORDER_STATUSES, type OrderStatus } from '../../../server/core/statuses';
import { MAX_BULK_SIZE } from '../../../server/orders/list/filter-bounds';
import type { OrderFilter } from '../../../server/orders/list/schema';
import { useTRPC } from '../../api/client';
import { MenuButton } from '../../ui/floating/menu-button';
import { ConfirmAction } from '../../ui/form/confirm-action';
import { useStatusName } from '../../ui/value/status-badge';

interface Props {
  /** The orders, and how many there are; the user confirms that number. */
  filter: OrderFilter;
  count: number;
  /** The current status of a single order, which cannot be chosen again. */
  current?: OrderStatus;
  variant?: ButtonProps['variant'];
  onDone?: () => void;
}

/** Sets the status of orders, after the user has confirmed how many orders get which status. */
export function SetStatus({ filter, count, current, variant = 'default', onDone }: Props) {
  const t = useTranslations('order-status');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const statusName = useStatusName();
  const [newStatus, setNewStatus] = useState<OrderStatus>('cancelled');
  const set = useMutation(
    trpc.orders.setStatus.mutationOptions({
      onSuccess: async ({ changed }) => {
        notifications.show({
          message: t('done', { changed, unchanged: count - changed, status: statusName(newStatus) }),
        });
        onDone?.();
        await Promise.all(
          [trpc.orders, trpc.queues].map((part) => queryClient.invalidateQueries(part.pathFilter())),
        );
      },
    }),
  );
  const values = { count, status: statusName(newStatus) };
  return (
    <ConfirmAction
      title={t('title', values)}
      message={t(newStatus === 'cancelled' ? 'cancelHint' : 'hint', values)}
      action={t('confirm', values)}
      destructive={newStatus === 'cancelled'}
      onConfirm={() => set.mutateAsync({ filter, count, status: newStatus })}
    >
      {(ask) => (
        <MenuButton
          position="bottom-start"
          button={
            <Button
              variant={variant}
              disabled={count > MAX_BULK_SIZE}
              title={count > MAX_BULK_SIZE ? t('tooMany', { count: MAX_BULK_SIZE }) : undefined}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              {t('set')}
            </Button>
          }
          entries={ORDER_STATUSES.map((status) => ({
            key: status,
            label: statusName(status),
            disabled: status === current,
            onClick: () => {
              setNewStatus(status);
              ask();
            },
          }))}
        />
      )}
    </ConfirmAction>
  );
}
