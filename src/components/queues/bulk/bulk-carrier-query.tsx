'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { MAX_SHIPMENTS_PER_QUERY } from '../../../server/tracking/shipments/bounds';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { useCarrierQueryOutcomeText } from '../carrier-query-outcome';
import type { Entry } from '../use-queue-work';
import { groupsOf } from './bulk-groups';
import { BulkDialog, useBulkRun } from './bulk-run';

interface Props {
  entries: readonly Entry[];
  opened: boolean;
  onClose: () => void;
}

/** Asks the carrier about the shipments of several entries. Its state is not reset, so give it a new `key` each time it opens. */
export function BulkCarrierQuery({ entries, opened, onClose }: Props) {
  const t = useTranslations('queues');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const outcomeText = useCarrierQueryOutcomeText();
  const run = useBulkRun(entries);
  const carrierQuery = useMutation(trpc.shipments.askCarrier.mutationOptions(SHOWS_OWN_ERROR));

  const queryCarrier = () =>
    run.start({
      groupsOf: (remainingEntries) =>
        groupsOf(
          remainingEntries,
          MAX_SHIPMENTS_PER_QUERY,
          ({ tracking_numbers: numbers }) => numbers.length,
        ),
      run: async (group) => {
        const numbers = [...new Set(group.flatMap((entry) => entry.tracking_numbers))];
        const { results } =
          numbers.length === 0
            ? { results: [] }
            : await carrierQuery.mutateAsync({ tracking_numbers: numbers });
        return new Map(
          group.map(({ id, tracking_numbers: entryNumbers }) => [
            id,
            outcomeText(results.filter(({ tracking_number: number }) => entryNumbers.includes(number))),
          ]),
        );
      },
      onDone: () =>
        Promise.all(
          [trpc.orders, trpc.queues, trpc.shipments].map((router) =>
            queryClient.invalidateQueries(router.pathFilter()),
          ),
        ),
    });
  return (
    <BulkDialog
      title={t('bulk.askTitle', { count: entries.length })}
      entries={entries}
      run={run}
      opened={opened}
      onClose={onClose}
    >
      <Stack gap="md">
        <Text>{t('bulk.askHint')}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button data-autofocus onClick={() => void queryCarrier()}>
            {t('actions.ask')}
          </Button>
        </Group>
      </Stack>
    </BulkDialog>
  );
}
