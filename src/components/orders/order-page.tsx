'use client';

import { Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { mayDo } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import { Failed } from '../ui/list/list-states';
import { Section } from '../ui/page/detail-page';
import { PageHeader } from '../ui/page/page-header';
import { CopyId } from '../ui/value/copy-id';
import { StatusBadge } from '../ui/value/status-badge';
import { AddTracking } from './add-tracking';
import { BuyerText } from './buyer-text';
import { OrderAddress } from './order-address';
import { OrderFacts } from './order-facts';
import { OrderHistory } from './order-history';
import { OrderItems } from './order-items';
import { rememberedOrderList } from './order-list-search';
import { OrderNotes } from './order-notes';
import styles from './order-page.module.css';
import { OrderShipments } from './order-shipments';
import { orderQuery } from './queries';
import { SetStatus } from './set-status';

type Order = RouterOutputs['orders']['one'];

/** An order with all its details and actions. */
export function OrderPage({ id }: { id: string }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const { prefix } = useDesk();
  const { data, error, refetch } = useQuery(orderQuery(trpc, id));
  const back = { href: `${prefix}/orders${rememberedOrderList()}`, label: t('back') };
  if (data) return <LoadedOrder order={data} back={back} />;
  return (
    <>
      <PageHeader title={error ? t('title') : <Skeleton width={160} height={32} />} back={back} />
      {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton height={320} mt="xl" />}
    </>
  );
}

function LoadedOrder({ order, back }: { order: Order; back: { href: string; label: string } }) {
  const t = useTranslations('order');
  const { person } = useDesk();
  const mayWrite = mayDo(person.role, 'orders.write');
  return (
    <>
      <PageHeader
        back={back}
        title={
          <span className={styles.receipt}>
            <CopyId value={order.receipt_id} />
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
          <>
            <BuyerText orderId={order.id} />
            {mayWrite && <SetStatus ids={[order.id]} current={order.status} />}
          </>
        }
      />
      <div className={styles.columns}>
        <Stack gap={0} miw={0}>
          <Section title={t('items.title')}>
            <OrderItems order={order} />
          </Section>
          <Section title={t('parcels.title')} actions={mayWrite && <AddTracking order={order} />}>
            <OrderShipments order={order} mayWrite={mayWrite} />
          </Section>
          <Section title={t('history.title')}>
            <OrderHistory order={order} mayWrite={mayWrite} />
          </Section>
        </Stack>
        <div className={styles.aside}>
          <OrderAddress order={order} />
          <Section title={t('facts.title')}>
            <OrderFacts order={order} />
          </Section>
          <Section title={t('notes.title')}>
            <OrderNotes order={order} mayWrite={mayWrite} />
          </Section>
        </div>
      </div>
    </>
  );
}
