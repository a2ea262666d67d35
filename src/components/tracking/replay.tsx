'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { MAX_REPLAYED_CALLBACKS } from '../../server/tracking/callbacks/bounds';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { Dialog } from '../ui/dialog/dialog';
import { useReasonText } from '../ui/feedback/reason-text';
import { ConfirmAction } from '../ui/form/confirm-action';
import { ListTable } from '../ui/list/table/list-table';
import { StatusChanges } from './status-changes';
import styles from './tracking.module.css';

type ReplayedCallbacks = RouterOutputs['callbacks']['replay']['records'];

/** Returns a function that reloads callbacks, shipments and orders. */
export function useReloadTracking(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [trpc.callbacks, trpc.shipments, trpc.orders].map((router) =>
        queryClient.invalidateQueries(router.pathFilter()),
      ),
    );
}

/** Returns the mutation that processes stored callbacks again. */
export function useReplay() {
  const trpc = useTRPC();
  return useMutation(trpc.callbacks.replay.mutationOptions({ onSuccess: useReloadTracking() }));
}

/** Replays the selected callbacks, and shows what each of them changed. */
export function BulkReplayButton({ ids }: { ids: readonly string[] }) {
  const t = useTranslations('tracking');
  const replay = useReplay();
  const [opened, { open, close }] = useDisclosure();
  if (ids.length > MAX_REPLAYED_CALLBACKS)
    return <Text c="dimmed">{t('replay.tooMany', { most: MAX_REPLAYED_CALLBACKS })}</Text>;
  const title = t('replay.many', { count: ids.length });
  return (
    <>
      <ConfirmAction
        title={title}
        message={t('replay.ask', { count: ids.length })}
        action={t('replay.do')}
        onConfirm={async () => {
          await replay.mutateAsync({ ids: [...ids] });
          open();
        }}
      >
        {(ask) => <Button onClick={ask}>{title}</Button>}
      </ConfirmAction>
      <ReplayDialog opened={opened} onClose={close} callbacks={replay.data?.records} />
    </>
  );
}

/** What a replay of several callbacks changed. */
export function ReplayDialog({
  opened,
  onClose,
  callbacks,
  remainingCount = 0,
}: {
  opened: boolean;
  onClose: () => void;
  callbacks: ReplayedCallbacks | undefined;
  /** How many callbacks are left for the next replay. */
  remainingCount?: number;
}) {
  const t = useTranslations('tracking');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('replay.results')} size="xl">
      {callbacks?.length === 0 ? (
        <Text>{t('replay.none')}</Text>
      ) : (
        callbacks && (
          <Stack gap="sm">
            <ReplaySummary callbacks={callbacks} />
            {remainingCount > 0 && <Text>{t('replay.left', { count: remainingCount })}</Text>}
            <ReplayedTable callbacks={callbacks} />
          </Stack>
        )
      )}
    </Dialog>
  );
}

/** What a replay changed, in one sentence. */
export function ReplaySummary({ callbacks }: { callbacks: ReplayedCallbacks }) {
  const t = useTranslations('tracking');
  const sum = (countOf: (callback: ReplayedCallbacks[number]) => number) =>
    callbacks.reduce((total, callback) => total + countOf(callback), 0);
  return (
    <Text role="status">
      {t('replay.summary', {
        records: sum(({ found }) => Number(found)),
        events: sum(({ new_events: count }) => count),
        shipments: new Set(
          callbacks.flatMap(({ changes }) => changes.map((change) => change.tracking_number)),
        ).size,
        orders: sum(({ updated_orders: count }) => count),
      })}
    </Text>
  );
}

function ReplayedTable({ callbacks }: { callbacks: ReplayedCallbacks }) {
  const t = useTranslations('tracking');
  const reasonText = useReasonText();
  const format = useFormatter();
  return (
    <ListTable
      label={t('replay.results')}
      rows={callbacks}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'id',
          label: t('callbacks.id'),
          heading: true,
          render: ({ id, found, error }) => (
            <span>
              <span className="mono">{id}</span>
              {!found && <span className={styles.secondary}>{t('replay.gone')}</span>}
              {error && <span className={styles.secondary}>{reasonText(error)}</span>}
            </span>
          ),
        },
        {
          key: 'shipments',
          label: t('replay.shipments'),
          render: ({ changes }) =>
            changes.length === 0 ? t('replay.noShipments') : <StatusChanges changes={changes} />,
        },
        {
          key: 'events',
          label: t('replay.events'),
          numeric: true,
          render: ({ new_events: count }) => format.number(count),
        },
        {
          key: 'orders',
          label: t('replay.orders'),
          numeric: true,
          render: ({ updated_orders: count }) => format.number(count),
        },
      ]}
    />
  );
}
