'use client';

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useRef } from 'react';
import type { QueueName } from '../../server/queues/queue';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { useReasonText } from '../ui/feedback/reason-text';
import { countsAfterAction, queueCountsQuery } from './counts-query';
import { findCurrentEntryLink } from './list/entry-links';
import { hideUndoToast, showUndoToast } from './undo-toast';
import { useFailureNotice } from './use-failure-notice';
import { useUndoSteps } from './use-undo-steps';

export type Entry = RouterOutputs['queues']['list']['entries'][number];
type Outcome = RouterOutputs['queues']['handle'];
export type User = RouterOutputs['queues']['people'][number];

const referenceOf = ({ shop_id, id }: Entry) => ({ shop_id, id });
const valuesOf = (entries: readonly Entry[]) => ({ count: entries.length, receipt: entries[0]!.number });
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
  const showFailure = useFailureNotice(announce);
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const undoSteps = useUndoSteps();
  const countsQuery = queueCountsQuery(trpc);

  /** Adds that a key undoes it, where there is a keyboard. */
  const withUndoKey = (text: string) =>
    window.matchMedia('(pointer: fine)').matches ? t('said.withUndoKey', { text }) : text;

  const pendingChangeCount = useRef(0);
  const sharedOptions = {
    onMutate: () => {
      pendingChangeCount.current += 1;
    },
    onSettled: async (_outcome: unknown, error: unknown) => {
      pendingChangeCount.current -= 1;
      // While other changes are pending, a response could bring back entries that have just left the list.
      if (pendingChangeCount.current > 0) return;
      const reload = queryClient.invalidateQueries(trpc.queues.pathFilter());
      // Without the service, the reload takes as long as its retries; the failure is shown before.
      if (!error) await reload;
    },
    ...SHOWS_OWN_ERROR,
  };
  const handle = useMutation(trpc.queues.handle.mutationOptions(sharedOptions));
  const snooze = useMutation(trpc.queues.snooze.mutationOptions(sharedOptions));
  const putBack = useMutation(trpc.queues.putBack.mutationOptions(sharedOptions));
  const assign = useMutation(trpc.queues.assign.mutationOptions(sharedOptions));

  const reloadOrders = (entries: readonly Entry[]) =>
    Promise.all(entries.map(({ id }) => queryClient.invalidateQueries(trpc.orders.one.queryFilter({ id }))));

  /**
   * Removes entries from the list, and adjusts the counts until they are reloaded. Returns a function that brings them back after
   * the action has failed.
   */
  const removeFromList = async (entries: readonly Entry[], action: 'handle' | 'snooze' | 'putBack') => {
    await queryClient.cancelQueries(trpc.queues.pathFilter());
    const removedIds = new Set(entries.map(({ id }) => id));
    const setEntries = (change: (entries: readonly Entry[]) => Entry[]) =>
      queryClient.setQueryData<RouterOutputs['queues']['list']>(
        listKey,
        (list) => list && { ...list, entries: change(list.entries) },
      );
    const changeCounts = (count: number) =>
      queryClient.setQueryData(
        countsQuery.queryKey,
        (previous) => previous && countsAfterAction(previous, queue, action, count),
      );
    const previousEntries = queryClient.getQueryData<RouterOutputs['queues']['list']>(listKey)?.entries ?? [];
    setEntries((listed) => listed.filter(({ id }) => !removedIds.has(id)));
    changeCounts(entries.length);
    return () => {
      setEntries((listed) => {
        const listedIds = new Set(listed.map(({ id }) => id));
        const previousIds = new Set(previousEntries.map(({ id }) => id));
        return [
          ...previousEntries.filter(({ id }) => listedIds.has(id) || removedIds.has(id)),
          ...listed.filter(({ id }) => !previousIds.has(id)),
        ];
      });
      changeCounts(-entries.length);
    };
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
    const bringBack = await removeFromList(entries, until === null ? 'handle' : 'snooze');
    const pendingCall =
      until === null
        ? handle.mutateAsync(input)
        : snooze.mutateAsync({ ...input, until: until.toISOString() });
    const undoStep = undoSteps.add({
      numbersText: formatNumbers(entries),
      async run() {
        // Waits for the response, because only changes that the service made can be undone.
        const changedIds = new Set((await pendingCall).changed);
        const entriesToPutBack = entries.filter(({ id }) => changedIds.has(id));
        if (entriesToPutBack.length === 0) return false;
        await putBack.mutateAsync({ queue, entries: entriesToPutBack.map(referenceOf) });
        return true;
      },
    });
    let outcome: Outcome;
    try {
      outcome = await pendingCall;
    } catch (error) {
      undoSteps.drop(undoStep);
      bringBack();
      const values = valuesOf(entries);
      showFailure(
        until === null ? t('said.notHandled', values) : t('said.notSnoozed', values),
        formatNumbers(entries),
        error,
      );
      return;
    }
    const changedIds = new Set(outcome.changed);
    const changedEntries = entries.filter(({ id }) => changedIds.has(id));
    if (changedEntries.length === 0) undoSteps.drop(undoStep);
    else {
      const values = valuesOf(changedEntries);
      const text = until === null ? t('said.handled', values) : t('said.snoozed', values);
      announce(withUndoKey(text));
      showUndoToast(text, t('undo'), () => {
        findCurrentEntryLink()?.focus();
        void undo(undoStep);
      });
    }
    showRefusedEntries(entries, outcome);
    const changedElsewhereCount = entries.length - outcome.changed.length - outcome.refused.length;
    if (changedElsewhereCount > 0)
      notifications.show({ message: t('said.elsewhere', { count: changedElsewhereCount }) });
    await reloadOrders(entries);
  };

  const undo = async (step = undoSteps.last()) => {
    if (!step) return;
    hideUndoToast();
    const { isUndone, error } = await undoSteps.run(step);
    if (isUndone) announce(t('said.undone', { receipts: step.numbersText }));
    else if (error) showFailure(t('said.notUndone', { receipts: step.numbersText }), step.numbersText, error);
  };

  return {
    handle: (entries: readonly Entry[]) => handleOrSnooze(entries, null),
    snooze: (entries: readonly Entry[], until: Date) => handleOrSnooze(entries, until),
    async putBack(entries: readonly Entry[]) {
      const bringBack = await removeFromList(entries, 'putBack');
      try {
        const outcome = await putBack.mutateAsync({ queue, entries: entries.map(referenceOf) });
        announce(t('said.putBack', valuesOf(entries)));
        showRefusedEntries(entries, outcome);
        await reloadOrders(entries);
      } catch (error) {
        bringBack();
        showFailure(t('said.notPutBack', valuesOf(entries)), formatNumbers(entries), error);
      }
    },
    /** @param user null to unassign the entries */
    async assign(entries: readonly Entry[], user: Pick<User, 'id' | 'name'> | null) {
      const references = entries.map(referenceOf);
      const outcome = await assign
        .mutateAsync({ queue, entries: references, user_id: user?.id ?? null })
        .catch((error: unknown) =>
          showFailure(t('said.notAssigned', valuesOf(entries)), formatNumbers(entries), error),
        );
      if (!outcome) return;
      showRefusedEntries(entries, outcome);
      const refusedIds = new Set(outcome.refused.map(({ id }) => id));
      const assignedEntries = entries.filter(({ id }) => !refusedIds.has(id));
      if (assignedEntries.length === 0) return;
      const previousAssigneeIds = [
        ...new Set(assignedEntries.map(({ assigned_to: assignee }) => assignee?.id ?? null)),
      ];
      const values = valuesOf(assignedEntries);
      announce(
        withUndoKey(user ? t('said.assigned', { ...values, name: user.name }) : t('said.unassigned', values)),
      );
      undoSteps.add({
        numbersText: formatNumbers(assignedEntries),
        async run() {
          const calls = previousAssigneeIds.map((assigneeId) =>
            assign.mutateAsync({
              queue,
              entries: assignedEntries
                .filter(({ assigned_to: assignee }) => (assignee?.id ?? null) === assigneeId)
                .map(referenceOf),
              user_id: assigneeId,
            }),
          );
          await Promise.all(calls);
          return true;
        },
      });
      await reloadOrders(assignedEntries);
    },
    undo: () => undo(),
  };
}
