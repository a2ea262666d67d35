'use client';

import { Anchor, Button, Group, Skeleton, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { SetStatus } from '../../orders/list/set-status';
import { BuyerText } from '../../orders/page/buyer-text';
import { OrderSections } from '../../orders/page/order-sections';
import { orderQuery } from '../../orders/queries';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { CopyableText } from '../../ui/value/copyable-text';
import { StatusBadge } from '../../ui/value/status-badge';
import { hasFailed, useCarrierQueryOutcomeText } from '../carrier-query-outcome';
import { CauseBadge } from '../list/queue-list';
import styles from '../queue.module.css';
import type { Entry } from '../use-queue-work';
import { EntryFacts } from './entry-facts';
import type { QueueReply as QueueReplyComponent } from './queue-reply';

type Order = RouterOutputs['orders']['one'];

interface Props {
  entry: Entry;
  /** Shows the reply of the entry, if it has one to review. */
  QueueReply: typeof QueueReplyComponent | undefined;
  /** The buttons to handle, snooze or assign the entry, unless they are shown for the selection. */
  actions: ReactNode;
  onNote: () => void;
  /** Called when the reply to review has been marked as sent. */
  onSent: () => void;
  onBack: () => void;
}

/** The order of an entry, with the actions for it. */
export function QueueEntry({ entry, QueueReply, actions, onNote, onSent, onBack }: Props) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const { data: order, error, refetch } = useQuery(orderQuery(trpc, entry.id));
  return (
    <article aria-labelledby="chosen-order">
      <Button variant="subtle" size="compact-sm" className={styles.back} onClick={onBack}>
        {t('actions.back')}
      </Button>
      <Group gap="sm">
        <Title order={2} id="chosen-order" className={styles.receipt}>
          <CopyableText value={entry.number} />
        </Title>
        {entry.cause && <CauseBadge cause={entry.cause} />}
        {order && <StatusBadge status={order.tracking_status ?? order.status} />}
        <Anchor
          component={Link}
          className="tap-line"
          href={`${prefix}/orders/${entry.id}`}
          prefetch={false}
          size="sm"
        >
          {t('actions.open')}
        </Anchor>
      </Group>
      <EntryFacts entry={entry} saleDate={order?.sale_date ?? null} />
      <Group gap="sm" my="md">
        {actions}
        {order && <OrderActions order={order} onNote={onNote} />}
      </Group>
      {QueueReply && order && entry.reply && hasPermission(user.role, 'messages.write') && (
        <QueueReply key={order.id} order={order} onSent={onSent} />
      )}
      {order ? (
        <OrderSections order={order} />
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <Skeleton height={320} />
      )}
    </article>
  );
}

function OrderActions({ order, onNote }: { order: Order; onNote: () => void }) {
  const t = useTranslations('queues');
  const { user, prefix } = useBackOffice();
  const trackingNumbers = order.shipments.map(({ tracking_number: number }) => number);
  return (
    <>
      {hasPermission(user.role, 'messages.write') && (
        <Button
          component={Link}
          variant="default"
          href={`${prefix}/orders/${order.id}?reply=1`}
          prefetch={false}
          aria-keyshortcuts="R"
        >
          {t('actions.reply')}
        </Button>
      )}
      <BuyerText orderId={order.id} />
      {hasPermission(user.role, 'orders.write') && (
        <>
          <Button variant="default" onClick={onNote} aria-keyshortcuts="N">
            {t('bulk.addNote')}
          </Button>
          <SetStatus
            filter={{ ids: [order.id] }}
            count={1}
            shownOrders={[{ id: order.id, receiptId: order.receipt_id, status: order.status }]}
          />
        </>
      )}
      {hasPermission(user.role, 'tracking.write') && trackingNumbers.length > 0 && (
        <EntryCarrierQueryButton trackingNumbers={trackingNumbers} />
      )}
    </>
  );
}

/** A button that asks the carrier about the shipments of an entry. */
export function EntryCarrierQueryButton({ trackingNumbers }: { trackingNumbers: readonly string[] }) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const outcomeText = useCarrierQueryOutcomeText();
  const carrierQuery = useMutation(
    trpc.shipments.askCarrier.mutationOptions({
      onSuccess: ({ results }) => {
        notifications.show({
          message: outcomeText(results),
          ...(results.some(hasFailed) && { color: 'red' }),
        });
        return Promise.all(
          [trpc.orders, trpc.queues, trpc.shipments].map((router) =>
            queryClient.invalidateQueries(router.pathFilter()),
          ),
        );
      },
    }),
  );
  return (
    <Button
      variant="default"
      loading={carrierQuery.isPending}
      onClick={() => carrierQuery.mutate({ tracking_numbers: [...trackingNumbers] })}
    >
      {t('actions.ask')}
    </Button>
  );
}
