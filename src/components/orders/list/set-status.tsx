'use client';

import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ORDER_STATUSES, type OrderStatus } from '../../../server/core/statuses';
import { MAX_BULK_SIZE } from '../../../server/orders/filter/bounds';
import type { OrderFilter } from '../../../server/orders/filter/schema';
import { useTRPC } from '../../api/client';
import { failureOf } from '../../api/service-error';
import { MenuButton } from '../../ui/floating/menu-button';
import { ConfirmAction } from '../../ui/form/confirm-action';
import { useStatusName } from '../../ui/value/status-badge';

/** An order with the status that the page shows. */
export interface ShownOrder {
  id: string;
  receiptId: string;
  status: OrderStatus;
}

interface Props {
  /** Matches the orders to change. */
  filter: OrderFilter;
  /** How many orders match; the user confirms this number. */
  count: number;
  /**
   * The orders to change that the page shows or has shown. Nothing is changed if one of them now has a status that is neither the
   * one shown nor the new one.
   */
  shownOrders: readonly ShownOrder[];
  variant?: ButtonProps['variant'];
  onDone?: () => void;
}

/** Sets the status of orders, after the user has confirmed how many orders get which status. */
export function SetStatus({ filter, count, shownOrders, variant = 'default', onDone }: Props) {
  const t = useTranslations('order-status');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const statusName = useStatusName();
  // Keeps what the page showed when the dialog was opened, because the list may be reloaded before the user confirms.
  const [question, setQuestion] = useState<Pick<Props, 'shownOrders'> & { status: OrderStatus }>({
    shownOrders,
    status: 'cancelled',
  });
  const setStatus = useMutation(trpc.orders.setStatus.mutationOptions({ meta: { showsOwnConflict: true } }));
  const setConfirmedStatus = async () => {
    const { status } = question;
    const statusById = Object.fromEntries(question.shownOrders.map((order) => [order.id, order.status]));
    try {
      const { changed: changedCount } = await setStatus.mutateAsync({
        filter,
        count,
        status,
        shown: statusById,
      });
      notifications.show({
        message: t('done', {
          changed: changedCount,
          unchanged: count - changedCount,
          status: statusName(status),
        }),
      });
    } catch (error) {
      const { conflict } = failureOf(error);
      if (!conflict) throw error;
      notifications.show({
        color: 'yellow',
        autoClose: false,
        message: t('changedMeanwhile', {
          number: question.shownOrders.find(({ id }) => id === conflict.id)?.receiptId ?? conflict.id,
          status: statusName(conflict.stored.status as OrderStatus),
        }),
      });
    }
    onDone?.();
    await Promise.all(
      [trpc.orders, trpc.queues].map((router) => queryClient.invalidateQueries(router.pathFilter())),
    );
  };
  // Known only if the page has shown all orders.
  const changedCount =
    question.shownOrders.length === count
      ? question.shownOrders.filter(({ status }) => status !== question.status).length
      : null;
  const values = { count, status: statusName(question.status) };
  const currentStatus = count === 1 ? shownOrders[0]?.status : undefined;
  return (
    <ConfirmAction
      title={t('title', values)}
      message={
        question.status === 'cancelled'
          ? t('cancelHint', values)
          : changedCount === null
            ? t('hint')
            : t('countedHint', { changed: changedCount, unchanged: count - changedCount })
      }
      action={t('confirm', values)}
      destructive={question.status === 'cancelled'}
      onConfirm={setConfirmedStatus}
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
            disabled: status === currentStatus,
            onClick: () => {
              setQuestion({ shownOrders, status });
              ask();
            },
          }))}
        />
      )}
    </ConfirmAction>
  );
}
