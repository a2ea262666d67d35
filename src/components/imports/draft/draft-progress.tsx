'use client';

import { Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { messageKeys } from '../../../i18n/message-keys';
import { useTRPC } from '../../api/client';
import { focusIfLost } from '../../ui/keyboard/focus';
import { useWatchedDraft } from './draft-watch';

const STEP_NAMES = messageKeys('import', {
  sending: 'progress.sending',
  reading: 'progress.reading',
  checking: 'progress.checking',
  storing: 'progress.storing',
  finishing: 'progress.finishing',
});

/** The third step: the progress of the import, which continues if the user leaves the page once the service has accepted it. */
export function DraftProgress({ id, wasStartedHere }: { id: string; wasStartedHere: boolean }) {
  const t = useTranslations('import');
  const format = useFormatter();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const draft = useWatchedDraft(id);
  const isRunning = draft?.state === 'running';
  // The page that started the import learns from the response that the import is over; any other page reloads the draft here.
  const shouldReload = draft !== undefined && !isRunning && !wasStartedHere;
  useEffect(() => {
    if (shouldReload) void queryClient.invalidateQueries(trpc.imports.draft.queryFilter({ id }));
  }, [shouldReload, queryClient, trpc, id]);
  const isDone = draft?.state === 'done';
  const fraction = isDone ? 1 : isRunning && draft.total > 0 ? draft.done / draft.total : 0;
  const isAccepted = isRunning || isDone || !wasStartedHere;
  const step = isDone ? 'finishing' : !isAccepted ? 'sending' : (isRunning && draft.step) || 'reading';
  return (
    <Stack gap="sm" maw={640} py="lg">
      <Text fw={600} role="status" {...(wasStartedHere && { ref: focusIfLost, tabIndex: -1 })}>
        {t(STEP_NAMES[step])}
      </Text>
      {isAccepted ? (
        <>
          <Progress.Root size="lg">
            <Progress.Section value={fraction * 100} aria-label={t('progress.label')} />
          </Progress.Root>
          <Text className="figures" c="dimmed">
            {format.number(fraction, { style: 'percent', maximumFractionDigits: 0 })}
          </Text>
          <Text c="dimmed">{t('progress.leave')}</Text>
        </>
      ) : (
        <Text c="dimmed">{t('progress.stay')}</Text>
      )}
    </Stack>
  );
}
