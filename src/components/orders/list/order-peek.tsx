'use client';

import { Anchor, Group, Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { RowPanel } from '../../ui/list/panel/row-panel';
import { focusRow } from '../../ui/list/table/list-rows';
import { CopyableText } from '../../ui/value/copyable-text';
import { StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import { BuyerText } from '../page/buyer-text';
import { OrderSections } from '../page/order-sections';
import partStyles from '../page/order-sections.module.css';
import { orderQuery } from '../queries';
import { SetStatus } from './set-status';

/** The panel with the opened order, beside the list. */
export function OrderPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const { data: order, error, refetch } = useQuery(orderQuery(trpc, id));
  return (
    <RowPanel rowKey={id} label={t('peek.label')} onClose={onClose}>
      {order ? (
        <>
          <Group gap="sm" pr={40}>
            <Title order={2}>
              <CopyableText value={order.receipt_id} />
            </Title>
            <StatusBadge status={order.tracking_status ?? order.status} />
            <Anchor
              component={Link}
              href={`${prefix}/orders/${id}`}
              prefetch={false}
              size="sm"
              className="tap-line"
            >
              {t('peek.open')}
            </Anchor>
          </Group>
          <p className={partStyles.details}>
            <span>{order.shop}</span>
            <span>{order.name ?? order.buyer}</span>
            {order.sale_date && <Instant value={order.sale_date} brief isSale />}
          </p>
          <Group gap="sm" mb="md">
            <BuyerText orderId={id} />
            {hasPermission(user.role, 'orders.write') && (
              <SetStatus
                filter={{ ids: [id] }}
                count={1}
                shownOrders={[{ id: order.id, receiptId: order.receipt_id, status: order.status }]}
              />
            )}
          </Group>
          <OrderSections order={order} />
        </>
      ) : error ? (
        <LoadError
          error={error}
          onRetry={refetch}
          onClose={() => {
            onClose();
            focusRow(id);
          }}
        />
      ) : (
        <Skeleton height={320} mt={48} />
      )}
    </RowPanel>
  );
}
