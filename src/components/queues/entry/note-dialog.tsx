'use client';

import { Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { OrderNotes } from '../../orders/page/order-notes';
import { orderQuery } from '../../orders/queries';

/** Shows the notes on an order, and adds new ones. Loaded when it is first opened. */
export function NoteDialog({
  orderId,
  receiptId,
  onClose,
}: {
  orderId: string;
  receiptId: string;
  onClose: () => void;
}) {
  const t = useTranslations('queues');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const { data: order } = useQuery(orderQuery(trpc, orderId));
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('notesOf', { receipt: receiptId })}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {order ? <OrderNotes order={order} canWrite /> : <Skeleton height={120} />}
    </Modal>
  );
}
