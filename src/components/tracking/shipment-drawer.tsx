'use client';

import { Anchor, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { OpenedDrawer } from '../ui/dialog/opened-drawer';
import { useReasonText } from '../ui/feedback/reason-text';
import { LoadError } from '../ui/list/list-states';
import type { SidePanel } from '../ui/list/panel/side-panel';
import { ApiSamples } from '../ui/page/api-samples';
import { Facts, Section } from '../ui/page/detail-page';
import { CopyableText } from '../ui/value/copyable-text';
import { StatusBadge } from '../ui/value/status-badge';
import { SubStatusName } from '../ui/value/sub-status';
import { Instant } from '../ui/value/time/instant';
import { CarrierQuerySummary, useCarrierQuery } from './carrier-query';
import { EventTimeline } from './event-timeline';
import { shipmentQuery } from './queries';
import styles from './tracking.module.css';

type Shipment = RouterOutputs['shipments']['one'];

/** One shipment beside the list: its timeline, its orders, and the button to ask the carrier. */
export function ShipmentDrawer({ panel }: { panel: SidePanel }) {
  const t = useTranslations('tracking');
  return (
    <OpenedDrawer
      opened={panel.openKey !== null}
      onClose={panel.close}
      title={t('shipment.title')}
      size="lg"
      keepMounted={false}
    >
      {panel.openKey !== null && <LoadedShipment key={panel.openKey} number={panel.openKey} />}
    </OpenedDrawer>
  );
}

function LoadedShipment({ number }: { number: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(shipmentQuery(trpc, number));
  if (error && !data) return <LoadError error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={320} radius="sm" />;
  return <ShipmentView shipment={data} />;
}

function ShipmentView({ shipment }: { shipment: Shipment }) {
  const t = useTranslations('tracking');
  const { user, prefix } = useBackOffice();
  const carrierQuery = useCarrierQuery();
  const reasonText = useReasonText();
  const { tracking_number: number, orders, events } = shipment;
  const result = carrierQuery.data?.results[0];
  return (
    <Stack gap="md">
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <CopyableText value={number} />
          <StatusBadge status={shipment.status} />
        </Group>
        {hasPermission(user.role, 'tracking.write') && (
          <Button
            loading={carrierQuery.isPending}
            onClick={() => carrierQuery.mutate({ tracking_numbers: [number] })}
          >
            {t('ask.do')}
          </Button>
        )}
      </Group>
      {carrierQuery.data && (
        <div>
          <CarrierQuerySummary response={carrierQuery.data} />
          {result?.reason && <Text c="dimmed">{reasonText(result.reason)}</Text>}
        </div>
      )}
      <Facts
        facts={[
          {
            label: t('shipments.since'),
            value: (
              <>
                <Instant value={shipment.since} />
                {shipment.sub_status && (
                  <span className={styles.secondary}>
                    <SubStatusName subStatus={shipment.sub_status} />
                  </span>
                )}
              </>
            ),
          },
          { label: t('shipments.carrier'), value: shipment.carrier ?? shipment.carrier_code },
          { label: t('shipments.asked'), value: <Instant value={shipment.asked_at} /> },
          { label: t('shipment.registered'), value: <Instant value={shipment.registered_at} /> },
        ]}
      />
      <Section
        title={t('shipment.orders')}
        description={
          shipment.order_count > orders.length
            ? t('shipment.ordersShown', { shown: orders.length, count: shipment.order_count })
            : undefined
        }
      >
        {orders.length === 0 && <Text c="dimmed">{t('shipments.noOrder')}</Text>}
        {orders.map((order) => (
          <Group key={order.id} gap="sm" mih={32}>
            <Anchor
              component={Link}
              href={`${prefix}/orders/${order.id}`}
              prefetch={false}
              className="mono tap-line"
            >
              {order.receipt_id}
            </Anchor>
            <span>{order.shop}</span>
            <StatusBadge status={order.status} />
          </Group>
        ))}
      </Section>
      <Section
        title={t('shipment.timeline')}
        description={
          shipment.event_count > events.length
            ? t('shipment.eventsShown', {
                shown: events.length,
                count: shipment.event_count,
              })
            : undefined
        }
      >
        {events.length === 0 ? (
          <Text c="dimmed">{t('shipment.noEvents')}</Text>
        ) : (
          <EventTimeline events={events} />
        )}
      </Section>
      <Section title={t('shipment.apiCalls')}>
        <Tabs defaultValue="text" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="text">{t('shipment.apiText')}</Tabs.Tab>
            <Tabs.Tab value="logistics">{t('shipment.apiLogistics')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="text">
            <ApiSamples
              request={{
                method: 'GET',
                path: '/api/v1/tracking-text',
                query: { tracking_number: number, format: 'text' },
              }}
            />
          </Tabs.Panel>
          <Tabs.Panel value="logistics">
            <ApiSamples
              request={{ method: 'GET', path: '/api/logistics', query: { tracking_number: number } }}
            />
          </Tabs.Panel>
        </Tabs>
      </Section>
    </Stack>
  );
}
