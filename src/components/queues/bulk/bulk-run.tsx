'use client';

import { Progress, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { useFailureText } from '../../api/failure-text';
import { failureOf } from '../../api/service-error';
import { OpenedDialog } from '../../ui/dialog/opened-dialog';
import styles from '../queue.module.css';
import type { Entry } from '../use-queue-work';
import { type Outcomes, runGroups } from './bulk-groups';

/** Runs an action on many entries, group by group. A group that fails does not stop the others. */
export function useBulkRun() {
  const failureText = useFailureText();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const [state, setState] = useState<'ready' | 'running' | 'done'>('ready');
  const start = async (
    groups: readonly (readonly Entry[])[],
    run: (group: readonly Entry[]) => Promise<Outcomes>,
  ) => {
    setState('running');
    await runGroups(
      groups,
      run,
      (error) => failureText(failureOf(error)).message,
      (newOutcomes) => setOutcomes((previous) => new Map([...previous, ...newOutcomes])),
    );
    setState('done');
  };
  return { outcomes, state, start };
}

/** A dialog for an action on many entries. It asks first, then shows the progress and the result of each entry. */
export function BulkDialog({
  title,
  entries,
  run: { outcomes, state },
  opened,
  onClose,
  children,
}: {
  title: string;
  entries: readonly Entry[];
  run: Pick<ReturnType<typeof useBulkRun>, 'outcomes' | 'state'>;
  opened: boolean;
  onClose: () => void;
  /** Shown until the action starts. */
  children: ReactNode;
}) {
  const t = useTranslations('queues');
  return (
    <OpenedDialog opened={opened} onClose={onClose} title={title} closeOnClickOutside={state !== 'running'}>
      {state === 'ready' ? (
        children
      ) : (
        <Stack gap="sm">
          <Progress value={(outcomes.size / entries.length) * 100} aria-label={title} />
          <Text role="status" size="sm">
            {t('bulk.progress', { done: outcomes.size, count: entries.length })}
          </Text>
          <ul className={styles.outcomes} aria-label={t('bulk.results')}>
            {entries.map(({ id, number }) => (
              <li key={id}>
                <span className="mono">{number}</span> {outcomes.get(id) ?? t('bulk.waiting')}
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </OpenedDialog>
  );
}
