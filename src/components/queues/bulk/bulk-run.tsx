'use client';

import { Button, Progress, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useRef, useState } from 'react';
import { useFailureSentence } from '../../api/failure-text';
import { failureOf } from '../../api/service-error';
import { OpenedDialog } from '../../ui/dialog/opened-dialog';
import { focusIfLost } from '../../ui/keyboard/focus';
import styles from '../queue.module.css';
import type { Entry } from '../use-queue-work';
import { type Outcomes, runGroups } from './bulk-groups';

interface BulkAction {
  groupsOf: (entries: readonly Entry[]) => readonly (readonly Entry[])[];
  /** Runs the action on a group. */
  run: (group: readonly Entry[]) => Promise<Outcomes>;
  /** @param failures the errors of the groups that failed */
  onDone?: (failures: readonly unknown[]) => unknown;
}

/** Runs an action on many entries, group by group. A group that fails does not stop the others, and can be tried again. */
export function useBulkRun(entries: readonly Entry[]) {
  const failureSentence = useFailureSentence();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const [failedIds, setFailedIds] = useState<ReadonlySet<string>>(new Set());
  const [state, setState] = useState<'ready' | 'running' | 'done'>('ready');
  const action = useRef<BulkAction | null>(null);
  const runOn = async (entriesToRun: readonly Entry[]) => {
    if (!action.current) return [];
    const { groupsOf, run, onDone } = action.current;
    setState('running');
    const failures: unknown[] = [];
    await runGroups(
      groupsOf(entriesToRun),
      async (group) => {
        try {
          return await run(group);
        } catch (error) {
          failures.push(error);
          setFailedIds((previous) => new Set([...previous, ...group.map(({ id }) => id)]));
          throw error;
        }
      },
      (error) => failureSentence(failureOf(error)),
      (newOutcomes) => setOutcomes((previous) => new Map([...previous, ...newOutcomes])),
    );
    await onDone?.(failures);
    setState('done');
    return failures;
  };
  return {
    outcomes,
    failedIds,
    state,
    /** Returns the errors of the groups that failed. */
    start: (newAction: BulkAction): Promise<readonly unknown[]> => {
      action.current = newAction;
      return runOn(entries);
    },
    retry: () => {
      setOutcomes((previous) => new Map([...previous].filter(([id]) => !failedIds.has(id))));
      setFailedIds(new Set());
      return runOn(entries.filter(({ id }) => failedIds.has(id)));
    },
  };
}

/** A dialog for an action on many entries. It asks first, then shows the progress and the result of each entry. */
export function BulkDialog({
  title,
  entries,
  run: { outcomes, failedIds, state, retry },
  opened,
  onClose,
  children,
}: {
  title: string;
  entries: readonly Entry[];
  run: Omit<ReturnType<typeof useBulkRun>, 'start'>;
  opened: boolean;
  onClose: () => void;
  /** Shown until the action starts. */
  children: ReactNode;
}) {
  const t = useTranslations('queues');
  const counts = { done: outcomes.size - failedIds.size, count: entries.length };
  return (
    <OpenedDialog opened={opened} onClose={onClose} title={title} closeOnClickOutside={state !== 'running'}>
      {state === 'ready' ? (
        children
      ) : (
        <Stack gap="sm">
          <Progress value={(outcomes.size / entries.length) * 100} aria-label={title} />
          <Text role="status" size="sm" ref={focusIfLost} tabIndex={-1}>
            {failedIds.size === 0
              ? t('bulk.progress', counts)
              : t('bulk.progressFailed', { ...counts, failed: failedIds.size })}
          </Text>
          <ul className={styles.outcomes} aria-label={t('bulk.results')}>
            {entries.map(({ id, number }) => (
              <li key={id}>
                <span className="mono">{number}</span> {outcomes.get(id) ?? t('bulk.waiting')}
              </li>
            ))}
          </ul>
          {failedIds.size > 0 && (
            <Button loading={state === 'running'} onClick={() => void retry()}>
              {t('bulk.retry')}
            </Button>
          )}
        </Stack>
      )}
    </OpenedDialog>
  );
}
