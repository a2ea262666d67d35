'use client';

import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { buyerQuery } from '../../messages/queries';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { Section } from '../../ui/page/detail-page';
import { StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import styles from './order-page.module.css';

type Order = RouterOutputs['orders']['one'];

/** The order's buyer: their other orders in the same shop, and the replies sent to them. */
export function OrderBuyer({ order }: { order: Order }) {
  const t = useTranslations('order');
  const trpc = useTRPC();
  const { prefix } = useBackOffice();
  const { data, error, refetch } = useQuery(buyerQuery(trpc, order.id));
  const renderOrderLink = (id: string, receiptId: string) => (
    <Anchor
      component={Link}
      href={`${prefix}/orders/${id}`}
      prefetch={false}
      className="mono tap-line"
      inherit
    >
      {receiptId}
    </Anchor>
  );
  return (
    <Section title={t('buyer.title')} description={order.buyer ?? order.name}>
      {error && !data && <LoadError error={error} onRetry={refetch} />}
      {data && (
        <Stack gap="md">
          {data.orders.length === 0 ? (
            <Text c="dimmed">{t('buyer.none')}</Text>
          ) : (
            <ul className={styles.entries} aria-label={t('buyer.orders')}>
              {data.orders.map(({ id, receipt_id: receiptId, status, sale_date: soldAt }) => (
                <Group key={id} component="li" gap="sm">
                  {renderOrderLink(id, receiptId)}
                  <StatusBadge status={status} />
                  {soldAt && (
                    <span className={styles.quiet}>
                      <Instant value={soldAt} brief isSale />
                    </span>
                  )}
                </Group>
              ))}
            </ul>
          )}
          {data.more && <Text c="dimmed">{t('buyer.more')}</Text>}
          {data.replies.length > 0 && (
            <div>
              <Text fw={600} mb="xs">
                {t('buyer.replies')}
              </Text>
              <ul className={styles.entries} aria-label={t('buyer.replies')}>
                {data.replies.map(({ id, order_id: orderId, receipt_id: receiptId, text, at, by }) => (
                  <li key={id}>
                    <p className={styles.text}>{text}</p>
                    <span className={styles.quiet}>
                      {by} · <Instant value={at} brief />
                      {orderId !== order.id && (
                        <>
                          {' · '}
                          {t.rich('buyer.about', { receipt: () => renderOrderLink(orderId, receiptId) })}
                        </>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </Stack>
      )}
    </Section>
  );
}
