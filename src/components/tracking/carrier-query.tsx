'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { MAX_SHIPMENTS_PER_QUERY } from '../../server/tracking/shipments/bounds';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { Dialog } from '../ui/dialog/dialog';
import { useReasonText } from '../ui/feedback/reason-text';
import { ListTable } from '../ui/list/table/list-table';
import { StatusBadge } from '../ui/value/status-badge';
import styles from './tracking.module.css';

export type CarrierQueryResponse = RouterOutputs['shipments']['askCarrier'];

/** Returns the mutation that asks the carrier about shipments and then reloads shipments and orders. */
export function useCarrierQuery() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.shipments.askCarrier.mutationOptions({
      onSuccess: () =>
        Promise.all([
          queryClient.invalidateQueries(trpc.shipments.pathFilter()),
          queryClient.invalidateQueries(trpc.orders.pathFilter()),
        ]),
    }),
  );
}

/** Asks the carrier about the selected shipments, and shows the result of each. */
export function CarrierQueryButton({ numbers }: { numbers: readonly string[] }) {
  const t = useTranslations('tracking');
  const carrierQuery = useCarrierQuery();
  const [opened, { open, close }] = useDisclosure();
  if (numbers.length > MAX_SHIPMENTS_PER_QUERY)
    return <Text c="dimmed">{t('ask.tooMany', { most: MAX_SHIPMENTS_PER_QUERY })}</Text>;
  return (
    <>
      <Button
        loading={carrierQuery.isPending}
        onClick={() => carrierQuery.mutate({ tracking_numbers: [...numbers] }, { onSuccess: open })}
      >
        {t('ask.doMany', { count: numbers.length })}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('ask.results')} size="xl">
        {carrierQuery.data && <CarrierQueryResults response={carrierQuery.data} />}
      </Dialog>
    </>
  );
}

/** The results for several shipments, one per row. */
function CarrierQueryResults({ response }: { response: CarrierQueryResponse }) {
  const t = useTranslations('tracking');
  const reasonText = useReasonText();
  const format = useFormatter();
  return (
    <Stack gap="sm">
      <CarrierQuerySummary response={response} />
      <ListTable
        label={t('ask.results')}
        rows={response.results}
        rowKey={({ tracking_number: number }) => number}
        columns={[
          {
            key: 'number',
            label: t('shipments.number'),
            heading: true,
            render: ({ tracking_number: number }) => <span className="mono">{number}</span>,
          },
          {
            key: 'outcome',
            label: t('ask.outcome'),
            render: ({ outcome, reason }) => (
              <span>
                <StatusBadge status={outcome} />
                {reason && <span className={styles.secondary}>{reasonText(reason)}</span>}
              </span>
            ),
          },
          {
            key: 'status',
            label: t('ask.now'),
            render: ({ status, changed }) =>
              status === null ? (
                '–'
              ) : (
                <span className={styles.change}>
                  <StatusBadge status={status} />
                  {changed && t('ask.changed')}
                </span>
              ),
          },
          {
            key: 'events',
            label: t('ask.newEvents'),
            numeric: true,
            render: ({ new_events: count }) => format.number(count),
          },
        ]}
      />
    </Stack>
  );
}

/** How many answers the carrier gave, and what they changed, in one sentence. */
export function CarrierQuerySummary({ response }: { response: CarrierQueryResponse }) {
  const t = useTranslations('tracking');
  return (
    <Text role="status">
      {t('ask.summary', {
        answered: response.results.filter(({ outcome }) => outcome === 'answered').length,
        changed: response.results.filter(({ changed }) => changed).length,
        orders: response.updated_orders,
      })}
    </Text>
  );
}
