'use client';

import { Button, Group, Skeleton, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { EventTimeline } from '../../tracking/event-timeline';
import { shipmentQuery } from '../../tracking/queries';
import { LoadError } from '../../ui/list/list-states';
import { Section } from '../../ui/page/detail-page';
import { CopyableText } from '../../ui/value/copyable-text';
import { StatusBadge } from '../../ui/value/status-badge';
import { EntryFacts } from '../entry/entry-facts';
import { EntryCarrierQueryButton } from '../entry/queue-entry';
import { unmatchedQuery } from '../queries';
import styles from '../queue.module.css';
import type { Entry } from '../use-queue-work';
import { NumberNote } from './number-note';
import { UnmatchedCandidates } from './unmatched-candidates';

type Candidate = RouterOutputs['queues']['unmatched']['candidates'][number];

interface Props {
  entry: Entry;
  /** The work actions for the entry, unless they are shown for the selection. */
  actions: ReactNode;
  onLinked: () => void;
  onBack: () => void;
}

/** A tracking number that no order has: its events, and the orders that it may belong to. */
export function UnmatchedEntry({ entry, actions, onLinked, onBack }: Props) {
  const t = useTranslations('queues');
  const format = useFormatter();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { user } = useBackOffice();
  const { id: number } = entry;
  const { data: shipment, error, refetch } = useQuery(shipmentQuery(trpc, number));
  const { data: details } = useQuery(unmatchedQuery(trpc, number));
  const submitRow = useMutation(trpc.trackingPaste.submit.mutationOptions());
  const correctNumber = useMutation(trpc.orders.correctTracking.mutationOptions());
  const canLink = hasPermission(user.role, 'orders.write');

  const finishLinking = async (message: string) => {
    notifications.show({ message });
    onLinked();
    await Promise.all(
      [trpc.queues, trpc.orders, trpc.shipments].map((router) =>
        queryClient.invalidateQueries(router.pathFilter()),
      ),
    );
  };
  const linkToOrder = async (receiptId: string, shopId?: number) => {
    const row = { receipt_id: receiptId, tracking_number: number, ...(shopId ? { shop_id: shopId } : {}) };
    const { refused: refusedRows } = await submitRow.mutateAsync({ rows: [row] });
    const [refusedRow] = refusedRows;
    if (refusedRow) {
      const shopNames = format.list(
        refusedRow.shops.map(({ name }) => name),
        { style: 'narrow' },
      );
      notifications.show({
        color: 'red',
        message:
          shopId !== undefined
            ? t('unmatched.candidateGone', { receipt: receiptId })
            : refusedRow.shops.length > 0
              ? t('unmatched.severalShops', { receipt: receiptId, shops: shopNames })
              : t('unmatched.noOrder', { receipt: receiptId }),
      });
      return;
    }
    await finishLinking(t('unmatched.linked', { number, receipt: receiptId }));
  };
  /** If the order has a mistyped tracking number, replaces it with this one; otherwise adds this one to the order. */
  const linkCandidate = async ({
    order_id: id,
    shop_id: shopId,
    receipt_id: receiptId,
    tracking_number: similarNumber,
    mistyped: isMistyped,
  }: Candidate) => {
    if (similarNumber === null || !isMistyped) return linkToOrder(receiptId, shopId);
    await correctNumber.mutateAsync({ id, mistyped: similarNumber, tracking_number: number });
    await finishLinking(t('unmatched.corrected', { number, receipt: receiptId, mistyped: similarNumber }));
  };

  return (
    <article aria-labelledby="chosen-number">
      <Button variant="subtle" size="compact-sm" className={styles.back} onClick={onBack}>
        {t('actions.back')}
      </Button>
      <Group gap="sm">
        <Title order={2} id="chosen-number" className={styles.receipt}>
          <CopyableText value={number} />
        </Title>
        {shipment && <StatusBadge status={shipment.status} />}
        {entry.name && <span>{entry.name}</span>}
      </Group>
      <EntryFacts entry={entry} />
      <Group gap="sm" my="md">
        {actions}
        {hasPermission(user.role, 'tracking.write') && <EntryCarrierQueryButton trackingNumbers={[number]} />}
      </Group>
      {canLink && (
        <Section title={t('unmatched.which')} description={t('unmatched.whichHint')}>
          <OrderNumberForm busy={submitRow.isPending} onLink={(receiptId) => linkToOrder(receiptId)} />
          {details && (
            <UnmatchedCandidates
              candidates={details.candidates}
              busy={submitRow.isPending || correctNumber.isPending}
              // The shared error handler shows a failure.
              onLink={(candidate) => void linkCandidate(candidate).catch(() => undefined)}
            />
          )}
        </Section>
      )}
      <Section title={t('unmatched.reported')}>
        {shipment ? (
          <EventTimeline events={shipment.events} />
        ) : error ? (
          <LoadError error={error} onRetry={refetch} />
        ) : (
          <Skeleton height={160} />
        )}
      </Section>
      {details && (canLink || details.note !== null) && (
        <Section title={t('actions.note')}>
          {canLink ? <NumberNote key={number} number={number} note={details.note} /> : details.note}
        </Section>
      )}
    </article>
  );
}

/** The form that links the tracking number to the order whose number the user enters. */
function OrderNumberForm({ busy, onLink }: { busy: boolean; onLink: (receiptId: string) => Promise<void> }) {
  const t = useTranslations('queues');
  const [receiptId, setReceiptId] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The shared error handler shows a failure.
    onLink(receiptId.trim()).catch(() => undefined);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="sm" align="flex-end" mb="md">
        <TextInput
          label={t('unmatched.receipt')}
          value={receiptId}
          onChange={({ currentTarget: { value } }) => setReceiptId(value)}
        />
        <Button type="submit" variant="default" loading={busy} disabled={receiptId.trim() === ''}>
          {t('unmatched.link')}
        </Button>
      </Group>
    </form>
  );
}
