'use client';

import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import { onDemand } from '../../api/on-demand';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { usePageShortcuts } from '../../ui/keyboard/page-shortcuts';
import { LoadError } from '../../ui/list/list-states';
import { Section } from '../../ui/page/detail-page';
import { PageHeader } from '../../ui/page/page-header';
import { CopyableText } from '../../ui/value/copyable-text';
import { StatusBadge } from '../../ui/value/status-badge';
import { readRememberedOrderListQuery } from '../list/order-list-query';
import { SetStatus } from '../list/set-status';
import { orderQuery } from '../queries';
import { AddTracking } from '../tracking-paste/add-tracking';
import { BuyerText } from './buyer-text';
import { OrderAddress } from './order-address';
import { OrderBuyer } from './order-buyer';
import { OrderFacts } from './order-facts';
import { OrderItems } from './order-items';
import styles from './order-page.module.css';
import { OrderProgress } from './order-progress';
import { OrderShipments } from './shipments/order-shipments';
import { OrderTimeline } from './timeline/order-timeline';

type Order = RouterOutputs['orders']['one'];

const OrderReply = onDemand(() =>
  import('../../messages/order-reply/order-reply').then((module) => module.OrderReply),
);

/** An order with all its details and actions. */
export function OrderPage({ id }: { id: string }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const { prefix } = useBackOffice();
  const { data, error, refetch } = useQuery(orderQuery(trpc, id));
  const back = { href: `${prefix}/orders${readRememberedOrderListQuery()}`, label: t('back') };
  if (data) return <LoadedOrder order={data} back={back} />;
  return (
    <>
      <PageHeader title={error ? t('title') : <Skeleton width={160} height={32} />} back={back} />
      {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton height={320} mt="xl" />}
    </>
  );
}

function LoadedOrder({ order, back }: { order: Order; back: { href: string; label: string } }) {
  const t = useTranslations('order');
  const { user } = useBackOffice();
  const canWrite = hasPermission(user.role, 'orders.write');
  const canReply = hasPermission(user.role, 'messages.write');
  const isReplyRequested = useSearchParams().has('reply');
  const [isReplying, setIsReplying] = useState(isReplyRequested && canReply);
  usePageShortcuts(
    canReply ? [{ keys: ['R'], label: t('reply'), on: { r: () => setIsReplying(true) } }] : [],
  );
  return (
    <>
      <div className={styles.head}>
        <PageHeader
          back={back}
          title={
            <span className={styles.receipt}>
              <CopyableText value={order.receipt_id} />
            </span>
          }
          beside={
            <Group gap="sm">
              <StatusBadge status={order.status} />
              {order.tracking_status && order.tracking_status !== order.status && (
                <StatusBadge status={order.tracking_status} />
              )}
              <span>{order.shop}</span>
            </Group>
          }
          actions={
            <div className={styles.actions}>
              {canReply && (
                <Button onClick={() => setIsReplying(true)} aria-keyshortcuts="R">
                  {t('reply')}
                </Button>
              )}
              <BuyerText orderId={order.id} />
              {canWrite && (
                <SetStatus
                  filter={{ ids: [order.id] }}
                  count={1}
                  shownOrders={[{ id: order.id, receiptId: order.receipt_id, status: order.status }]}
                />
              )}
            </div>
          }
        />
      </div>
      <OrderProgress order={order} />
      <div className={styles.columns}>
        <Stack gap={0} miw={0}>
          {isReplying && <OrderReply order={order} onClose={() => setIsReplying(false)} />}
          <Section title={t('items.title')}>
            <OrderItems order={order} />
          </Section>
          <Section title={t('shipments.title')} actions={canWrite && <AddTracking order={order} />}>
            <OrderShipments order={order} canWrite={canWrite} />
          </Section>
          <Section title={t('timeline.title')}>
            <OrderTimeline order={order} canWrite={canWrite} />
          </Section>
        </Stack>
        <div className={styles.aside}>
          <OrderAddress order={order} />
          <OrderBuyer order={order} />
          <Section title={t('facts.title')}>
            <OrderFacts order={order} />
          </Section>
        </div>
      </div>
    </>
  );
}
