'use client';

import { Anchor, Button, Group, Skeleton, Stack, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { mayDo } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { BuyerText } from '../orders/buyer-text';
import { OrderAddress } from '../orders/order-address';
import { OrderItems } from '../orders/order-items';
import { orderQuery } from '../orders/queries';
import { SetStatus } from '../orders/set-status';
import { ShipmentEvents } from '../orders/shipment-events';
import { useDesk } from '../shell/desk';
import { Failed } from '../ui/list/list-states';
import { Section } from '../ui/page/detail-page';
import { CopyId } from '../ui/value/copy-id';
import { Instant } from '../ui/value/instant';
import { StatusBadge } from '../ui/value/status-badge';
import styles from './queue.module.css';
import { CauseBadge } from './queue-list';
import type { Entry } from './use-queue-work';

type Order = RouterOutputs['orders']['one'];

interface Props {
  entry: Entry;
  /** Handled, Snooze and Assign, unless the selection has them. */
  actions: ReactNode;
  onNote: () => void;
  onBack: () => void;
}

/** The order of an entry: what happened to it, what was bought, and what can be done. */
export function QueueEntry({ entry, actions, onNote, onBack }: Props) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const { prefix } = useDesk();
  const { data: order, error, refetch } = useQuery(orderQuery(trpc, entry.order_id));
  return (
    <article aria-labelledby="chosen-order">
      <Button variant="subtle" size="compact-sm" className={styles.back} onClick={onBack}>
        {t('actions.back')}
      </Button>
      <Group gap="sm">
        <Title order={2} id="chosen-order" className={styles.receipt}>
          <CopyId value={entry.receipt_id} />
        </Title>
        {entry.cause && <CauseBadge cause={entry.cause} />}
        {order && <StatusBadge status={order.tracking_status ?? order.status} />}
        <Anchor component={Link} href={`${prefix}/orders/${entry.order_id}`} prefetch={false} size="sm">
          {t('actions.open')}
        </Anchor>
      </Group>
      <EntryFacts entry={entry} saleDate={order?.sale_date ?? null} />
      <Group gap="sm" my="md">
        {actions}
        {order && <OrderActions order={order} onNote={onNote} />}
      </Group>
      {order ? (
        <OrderParts order={order} />
      ) : error ? (
        <Failed error={error} onRetry={refetch} />
      ) : (
        <Skeleton height={320} />
      )}
    </article>
  );
}

function EntryFacts({ entry, saleDate }: { entry: Entry; saleDate: string | null }) {
  const t = useTranslations('queues');
  const { assigned_to: person, snoozed_until: until, handled_at: handled } = entry;
  const instant = (value: string) => () => <Instant value={value} brief />;
  return (
    <p className={styles.facts}>
      <span>{entry.shop}</span>
      {saleDate && <span>{t.rich('entry.sold', { when: instant(saleDate) })}</span>}
      {person && <span>{t('entry.assigned', { name: person.name })}</span>}
      {until && <span>{t.rich('entry.snoozed', { when: instant(until) })}</span>}
      {handled && <span>{t.rich('entry.handled', { when: instant(handled) })}</span>}
    </p>
  );
}

function OrderActions({ order, onNote }: { order: Order; onNote: () => void }) {
  const t = useTranslations('queues');
  const { person } = useDesk();
  const numbers = order.shipments.map(({ tracking_number: number }) => number);
  return (
    <>
      <BuyerText orderId={order.id} />
      {mayDo(person.role, 'orders.write') && (
        <>
          <Button variant="default" onClick={onNote} aria-keyshortcuts="N">
            {t('actions.note')}
          </Button>
          <SetStatus ids={[order.id]} current={order.status} />
        </>
      )}
      {mayDo(person.role, 'tracking.write') && numbers.length > 0 && <AskCarrier numbers={numbers} />}
    </>
  );
}

/** Asks the carrier about the order's shipments. */
function AskCarrier({ numbers }: { numbers: readonly string[] }) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const ask = useMutation(
    trpc.shipments.askCarrier.mutationOptions({
      onSuccess: ({ results }) => {
        const count = results.reduce((sum, { new_events: events }) => sum + events, 0);
        notifications.show({ message: t('asked', { count }) });
        return Promise.all(
          [trpc.orders, trpc.queues, trpc.shipments].map((part) =>
            queries.invalidateQueries(part.pathFilter()),
          ),
        );
      },
    }),
  );
  return (
    <Button
      variant="default"
      loading={ask.isPending}
      onClick={() => ask.mutate({ tracking_numbers: [...numbers] })}
    >
      {t('actions.ask')}
    </Button>
  );
}

function OrderParts({ order }: { order: Order }) {
  const t = useTranslations('order');
  return (
    <div className={styles.parts}>
      <Stack gap={0} miw={0}>
        {order.shipments.length > 0 && (
          <Section title={t('parcels.title')}>
            <Stack gap="lg">
              {order.shipments.map((shipment) => (
                <ShipmentEvents key={shipment.tracking_number} parcel={shipment} />
              ))}
            </Stack>
          </Section>
        )}
        <Section title={t('items.title')}>
          <OrderItems order={order} />
        </Section>
      </Stack>
      <Stack gap={0} miw={0}>
        <OrderAddress order={order} />
        {order.notes.length > 0 && (
          <Section title={t('notes.title')}>
            <ul className={styles.notes}>
              {order.notes.map((note) => (
                <li key={note.id}>
                  <p>{note.text}</p>
                  <span className={styles.facts}>
                    <span>{note.author}</span>
                    <Instant value={note.created_at} brief />
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </Stack>
    </div>
  );
}
