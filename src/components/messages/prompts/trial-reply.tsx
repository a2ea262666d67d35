'use client';

import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RouterOutputs } from '../../api/router-types';
import { useReasonText } from '../../ui/feedback/reason-text';
import { StatusBadge } from '../../ui/value/status-badge';
import { useReplyFigureFormatter } from '../replies/reply-figures';
import { ReplyText, WarningList } from '../reply-text';

type Trial = NonNullable<RouterOutputs['prompts']['try']['live']>;

interface Props {
  state: 'draft' | 'published';
  /** Undefined while the reply is being written, null if there is no such prompt. */
  trial: Trial | null | undefined;
  /** Shown if there is no such prompt. */
  emptyText: string;
  onUse: (reply: string) => void;
}

/** A prompt's reply and its cost. */
export function TrialReply({ state, trial, emptyText, onUse }: Props) {
  const t = useTranslations('messages');
  return (
    <Stack component="section" gap="sm">
      <Group gap="sm">
        <StatusBadge status={state} />
        {trial && <Text fw={600}>{t('prompt.version', { version: trial.version })}</Text>}
      </Group>
      {trial === undefined ? (
        <>
          <Text c="dimmed">{t('try.writing')}</Text>
          <Skeleton height={120} radius="sm" />
        </>
      ) : trial === null ? (
        <Text c="dimmed">{emptyText}</Text>
      ) : (
        <WrittenReply trial={trial} onUse={onUse} />
      )}
    </Stack>
  );
}

function WrittenReply({ trial, onUse }: { trial: Trial; onUse: Props['onUse'] }) {
  const t = useTranslations('messages');
  const figureFormatter = useReplyFigureFormatter();
  const reasonText = useReasonText();
  const { reply, error, model, usage, warnings, duration_ms: ms } = trial;
  return (
    <>
      <Text c="dimmed" size="sm" className="figures">
        {[
          figureFormatter.duration(ms),
          figureFormatter.tokens(usage?.input_tokens ?? null, usage?.output_tokens ?? null),
          ...(model ? [model] : []),
        ].join(' · ')}
      </Text>
      {reply === null ? (
        <>
          <Alert role="alert" color="red" variant="light" c="var(--mantine-color-text)">
            {error && reasonText(error)}
          </Alert>
          {warnings.length > 0 && <WarningList warnings={warnings} />}
        </>
      ) : (
        <div>
          <ReplyText reply={reply} warnings={warnings} />
          <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => onUse(reply)}>
            {t('try.again')}
          </Button>
        </div>
      )}
    </>
  );
}
