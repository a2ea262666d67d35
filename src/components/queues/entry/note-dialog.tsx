'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { OrderNotes } from '../../orders/page/order-notes';
import { orderQuery } from '../../orders/queries';
import { OpenedDialog } from '../../ui/dialog/opened-dialog';

/** Shows the notes on an order, and lets the user add more. Loaded when the dialog is first opened. */
export function NoteDialog({
  orderId,
  receiptId,
  opened,
  onClose,
}: {
  orderId: string;
  receiptId: string;
  opened: boolean;
  onClose: () => void;
}) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const { data: order } = useQuery(orderQuery(trpc, orderId));
  return (
    <OpenedDialog opened={opened} onClose={onClose} title={t('notesOf', { receipt: receiptId })}>
      <OrderNotes orderId={orderId} notes={order?.notes} canWrite focusesField />
    </OpenedDialog>
  );
}
