'use client';

import { Anchor, Button, Drawer, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { mayDo } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import { useReasonText } from '../ui/feedback/reason-text';
import { Failed } from '../ui/list/list-states';
import type { SidePanel } from '../ui/list/panel/side-panel';
import { ApiSamples } from '../ui/page/api-samples';
import { Facts, Section } from '../ui/page/detail-page';
import { CopyId } from '../ui/value/copy-id';
import { Instant } from '../ui/value/instant';
import { StatusBadge } from '../ui/value/status-badge';
import { SubStatusName } from '../ui/value/sub-status';
import { AskSummary, useAskCarrier } from './ask-carrier';
import { EventTimeline } from './event-timeline';
import { shipmentQuery } from './queries';
import styles from './tracking.module.css';

type Shipment = RouterOutputs['shipments']['one'];

/** One shipment beside the list: its timeline, its orders, and the button to ask the carrier. */
export function ShipmentDrawer({ opened }: { opened: SidePanel }) {
  const t = useTranslations('tracking');
  const common = useTranslations('common');
  return (
    <Drawer
      opened={opened.value !== null}
      onClose={opened.close}
      title={t('parcel.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': common('close') }}
      keepMounted={false}
    >
      {opened.value !== null && <ShipmentOf key={opened.value} number={opened.value} />}
    </Drawer>
  );
}

function ShipmentOf({ number }: { number: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(shipmentQuery(trpc, number));
  if (error && !data) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={320} radius="sm" />;
  return <ShipmentView parcel={data} />;
}

function ShipmentView({ parcel }: { parcel: Shipment }) {
  const t = useTranslations('tracking');
  const { person, prefix } = useDesk();
  const ask = useAskCarrier();
  const reasonText = useReasonText();
  const { tracking_number: number, orders, events } = parcel;
  const answer = ask.data?.results[0];
  return (
    <Stack gap="md">
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <CopyId value={number} />
          <StatusBadge status={parcel.status} />
        </Group>
        {mayDo(person.role, 'tracking.write') && (
          <Button loading={ask.isPending} onClick={() => ask.mutate({ tracking_numbers: [number] })}>
            {t('ask.do')}
          </Button>
        )}
      </Group>
      {ask.data && (
        <div>
          <AskSummary asked={ask.data} />
          {answer?.reason && <Text c="dimmed">{reasonText(answer.reason)}</Text>}
        </div>
      )}
      <Facts
        facts={[
          {
            label: t('parcels.since'),
            value: (
              <>
                <Instant value={parcel.since} />
                {parcel.sub_status && (
                  <span className={styles.under}>
                    <SubStatusName subStatus={parcel.sub_status} />
                  </span>
                )}
              </>
            ),
          },
          { label: t('parcels.carrier'), value: parcel.carrier ?? parcel.carrier_code },
          { label: t('parcels.asked'), value: <Instant value={parcel.asked_at} /> },
          { label: t('parcel.registered'), value: <Instant value={parcel.registered_at} /> },
        ]}
      />
      <Section
        title={t('parcel.orders')}
        description={
          parcel.order_count > orders.length
            ? t('parcel.ordersShown', { shown: orders.length, count: parcel.order_count })
            : undefined
        }
      >
        {orders.length === 0 && <Text c="dimmed">{t('parcels.noOrder')}</Text>}
        {orders.map((order) => (
          <Group key={order.id} gap="sm" mih={32}>
            <Anchor component={Link} href={`${prefix}/orders/${order.id}`} prefetch={false} className="mono">
              {order.receipt_id}
            </Anchor>
            <span>{order.shop}</span>
            <StatusBadge status={order.status} />
          </Group>
        ))}
      </Section>
      <Section
        title={t('parcel.timeline')}
        description={
          parcel.event_count > events.length
            ? t('parcel.eventsShown', {
                shown: events.length,
                count: parcel.event_count,
              })
            : undefined
        }
      >
        {events.length === 0 ? (
          <Text c="dimmed">{t('parcel.noEvents')}</Text>
        ) : (
          <EventTimeline events={events} />
        )}
      </Section>
      <Section title={t('parcel.apiCalls')}>
        <Tabs defaultValue="text" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="text">{t('parcel.apiText')}</Tabs.Tab>
            <Tabs.Tab value="logistics">{t('parcel.apiLogistics')}</Tabs.Tab>
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
