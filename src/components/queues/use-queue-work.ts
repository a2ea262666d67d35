'use client';

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import type { QueueName } from '../../server/queues/queue';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useReasonText } from '../ui/feedback/reason-text';
import { countsAfterAction, queueCountsQuery } from './counts-query';

export type Entry = RouterOutputs['queues']['list']['entries'][number];
type Outcome = RouterOutputs['queues']['handle'];
export type User = RouterOutputs['queues']['people'][number];

interface UndoStep {
  /** The order or tracking numbers of the entries, as a list in the reader's language. */
  numbersText: string;
  run: () => Promise<unknown>;
}

/** The maximum number of actions that can be undone. */
const MAX_UNDO_STEPS = 50;

const referenceOf = ({ shop_id, id }: Entry) => ({ shop_id, id });
const seenVersionOf = ({ shop_id, id, latest_at }: Entry) => ({ shop_id, id, latest_at });

/**
 * The actions on the entries of a queue. Entries that are handled, snoozed or put back leave the list immediately, before the
 * service responds; then the list and the counts are reloaded.
 * @param listKey the key of the list's query
 * @param announce announces to screen readers what was done
 */
export function useQueueWork(
  queue: QueueName,
  listKey: readonly unknown[],
  announce: (text: string) => void,
) {
  const t = useTranslations('queues');
  const common = useTranslations('common');
  const format = useFormatter();
  const formatNumbers = (entries: readonly Entry[]) =>
    format.list(
      entries.map(({ number }) => number),
      { style: 'narrow' },
    );
  const reasonText = useReasonText();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [undoSteps, setUndoSteps] = useState<readonly UndoStep[]>([]);
  const countsQuery = queueCountsQuery(trpc);

  const pendingChangeCount = useRef(0);
  const sharedOptions = {
    onMutate: () => {
      pendingChangeCount.current += 1;
    },
    onSettled: async () => {
      pendingChangeCount.current -= 1;
      // While other changes are pending, a response could bring back entries that have just left the list.
      if (pendingChangeCount.current === 0) await queryClient.invalidateQueries(trpc.queues.pathFilter());
    },
  };
  const handle = useMutation(trpc.queues.handle.mutationOptions(sharedOptions));
  const snooze = useMutation(trpc.queues.snooze.mutationOptions(sharedOptions));
  const putBack = useMutation(trpc.queues.putBack.mutationOptions(sharedOptions));
  const assign = useMutation(trpc.queues.assign.mutationOptions(sharedOptions));

  const addUndoStep = (step: UndoStep) =>
    setUndoSteps((previous) => [...previous, step].slice(-MAX_UNDO_STEPS));
  const reloadOrders = (entries: readonly Entry[]) =>
    Promise.all(entries.map(({ id }) => queryClient.invalidateQueries(trpc.orders.one.queryFilter({ id }))));

  /** Removes entries from the list, and adjusts the counts until they are reloaded. */
  const removeFromList = async (entries: readonly Entry[], action: 'handle' | 'snooze' | 'putBack') => {
    await queryClient.cancelQueries(trpc.queues.pathFilter());
    const removedIds = new Set(entries.map(({ id }) => id));
    queryClient.setQueryData<RouterOutputs['queues']['list']>(
      listKey,
      (list) => list && { ...list, entries: list.entries.filter(({ id }) => !removedIds.has(id)) },
    );
    queryClient.setQueryData(
      countsQuery.queryKey,
      (previous) => previous && countsAfterAction(previous, queue, action, entries.length),
    );
  };

  /** Shows the entries that were refused, each with its reason. */
  const showRefusedEntries = (entries: readonly Entry[], { refused: refusals }: Outcome) => {
    if (refusals.length === 0) return;
    const numberById = new Map(entries.map(({ id, number }) => [id, number]));
    const reasons = refusals.map(({ id, reason }) =>
      common('labelled', { label: numberById.get(id) ?? id, text: reasonText(reason) }),
    );
    notifications.show({
      color: 'red',
      autoClose: false,
      title: t('said.refused', { count: refusals.length }),
      message: reasons.join('\n'),
      styles: { description: { whiteSpace: 'pre-line' } },
    });
  };

  /** Handles entries or, with `until`, snoozes them. */
  const handleOrSnooze = async (entries: readonly Entry[], until: Date | null) => {
    const input = { queue, entries: entries.map(seenVersionOf) };
    await removeFromList(entries, until === null ? 'handle' : 'snooze');
    const values = { count: entries.length, receipt: entries[0]!.number };
    announce(until === null ? t('said.handled', values) : t('said.snoozed', values));
    const pendingCall =
      until === null
        ? handle.mutateAsync(input)
        : snooze.mutateAsync({ ...input, until: until.toISOString() });
    addUndoStep({
      numbersText: formatNumbers(entries),
      async run() {
        // Waits for the response, because only changes that the service made can be undone.
        const changedIds = new Set((await pendingCall.catch(() => null))?.changed);
        const entriesToPutBack = entries.filter(({ id }) => changedIds.has(id));
        if (entriesToPutBack.length > 0)
          await putBack.mutateAsync({ queue, entries: entriesToPutBack.map(referenceOf) });
      },
    });
    const outcome = await pendingCall;
    showRefusedEntries(entries, outcome);
    const changedElsewhereCount = entries.length - outcome.changed.length - outcome.refused.length;
    if (changedElsewhereCount > 0)
      notifications.show({ message: t('said.elsewhere', { count: changedElsewhereCount }) });
    await reloadOrders(entries);
  };

  return {
    handle: (entries: readonly Entry[]) => handleOrSnooze(entries, null),
    snooze: (entries: readonly Entry[], until: Date) => handleOrSnooze(entries, until),
    async putBack(entries: readonly Entry[]) {
      await removeFromList(entries, 'putBack');
      announce(t('said.putBack', { count: entries.length, receipt: entries[0]!.number }));
      showRefusedEntries(entries, await putBack.mutateAsync({ queue, entries: entries.map(referenceOf) }));
      await reloadOrders(entries);
    },
    /** @param user null to unassign the entries */
    async assign(entries: readonly Entry[], user: Pick<User, 'id' | 'name'> | null) {
      const outcome = await assign.mutateAsync({
        queue,
        entries: entries.map(referenceOf),
        user_id: user?.id ?? null,
      });
      showRefusedEntries(entries, outcome);
      const refusedIds = new Set(outcome.refused.map(({ id }) => id));
      const assignedEntries = entries.filter(({ id }) => !refusedIds.has(id));
      if (assignedEntries.length === 0) return;
      const previousAssigneeIds = [
        ...new Set(assignedEntries.map(({ assigned_to: assignee }) => assignee?.id ?? null)),
      ];
      const values = { count: assignedEntries.length, receipt: assignedEntries[0]!.number };
      announce(user ? t('said.assigned', { ...values, name: user.name }) : t('said.unassigned', values));
      addUndoStep({
        numbersText: formatNumbers(assignedEntries),
        run: () =>
          Promise.all(
            previousAssigneeIds.map((assigneeId) =>
              assign.mutateAsync({
                queue,
                entries: assignedEntries
                  .filter(({ assigned_to: assignee }) => (assignee?.id ?? null) === assigneeId)
                  .map(referenceOf),
                user_id: assigneeId,
              }),
            ),
          ),
      });
      await reloadOrders(assignedEntries);
    },
    async undo() {
      const lastStep = undoSteps.at(-1);
      if (!lastStep) return;
      setUndoSteps(undoSteps.slice(0, -1));
      await lastStep.run();
      announce(t('said.undone', { receipts: lastStep.numbersText }));
    },
  };
}
