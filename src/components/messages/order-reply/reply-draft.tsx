'use client';

import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconChevronLeft, IconChevronRight, IconCopy } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { RefObject } from 'react';
import { useTRPC } from '../../api/client';
import { createIdempotencyKey } from '../../api/idempotency-key';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import { Sentences } from '../../ui/value/sentences';
import { Instant } from '../../ui/value/time/instant';
import { WarningList } from '../reply-text';
import type { Turn } from '../turn';
import { warningsThatHold } from './marked-text';
import { MarkedTextarea } from './marked-textarea';
import { chosenIndexOf, type Draft, HANDWRITTEN_KEY } from './open-drafts';
import { type useUnsentReply, warningsAbout, withTranslation } from './unsent-reply';
import { WriteFailure } from './write-failure';

interface Props {
  order: { id: string; shop: string };
  /** The drafts to choose from, oldest first. */
  drafts: readonly Draft[];
  /** The conversation, whose language the reply can be translated into. */
  turns: readonly Turn[];
  /** Says what to do if there are no turns. */
  noTurnsHint: string | null;
  replyState: ReturnType<typeof useUnsentReply>;
  /** Focused once a draft is written. */
  copyButton?: RefObject<HTMLButtonElement | null>;
  onSent?: () => void;
}

/** The reply to send: the chosen draft as edited, or a text written by hand. */
export function ReplyDraft({ order, drafts, turns, noTurnsHint, replyState, copyButton, onSent }: Props) {
  const t = useTranslations('reply');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { unsentReply, isRestored, changeReply, clearReply } = replyState;
  const clipboard = useClipboard();
  const markSent = useMutation(trpc.replyDrafts.markSent.mutationOptions());
  const draftIndex = chosenIndexOf(drafts, unsentReply.chosen);
  const draft = drafts[draftIndex];
  const textKey = draft?.id ?? HANDWRITTEN_KEY;
  const text = unsentReply.texts[textKey] ?? draft?.reply ?? '';
  const original = unsentReply.originals[textKey];
  const warnings = warningsThatHold(warningsAbout(draft?.warnings ?? [], original), text);
  const chooseDraft = (newDraft: Draft | undefined) =>
    changeReply({ chosen: newDraft?.id ?? HANDWRITTEN_KEY });

  const translate = useMutation(trpc.replyDrafts.translateReply.mutationOptions(SHOWS_OWN_ERROR));
  const translateText = async () => {
    // A reply gets its key with its first change. The translation needs the key to find this reply again.
    const replyKey = unsentReply.key ?? createIdempotencyKey();
    if (unsentReply.key === null) changeReply({ key: replyKey });
    const translation = await translate
      .mutateAsync({ order_id: order.id, text, messages: [...turns] })
      .catch(() => null);
    if (!translation) return;
    // Another draft may be chosen by now; `textKey` still identifies the text that was translated.
    changeReply((latestReply) => withTranslation(latestReply, { replyKey, textKey, text }, translation));
    await queryClient.invalidateQueries(trpc.replies.pathFilter());
  };
  const restoreOriginal = () => {
    const { [textKey]: restoredOriginal, ...otherOriginals } = unsentReply.originals;
    changeReply({
      texts: { ...unsentReply.texts, [textKey]: restoredOriginal?.text ?? '' },
      originals: otherOriginals,
    });
  };

  const discardText = () => {
    const { [textKey]: _text, ...texts } = unsentReply.texts;
    const { [textKey]: _original, ...originals } = unsentReply.originals;
    changeReply({ chosen: null, texts, originals });
  };

  const markAsSent = async () => {
    // The shared error handler shows a failure; the text is kept.
    const hasFailed = await markSent
      .mutateAsync({
        order_id: order.id,
        // A draft can be marked as sent only once. After that, the text is stored as a separate reply.
        draft_id: draft && !draft.sent ? draft.id : null,
        key: unsentReply.key ?? createIdempotencyKey(),
        text,
      })
      .then(() => false)
      .catch(() => true);
    if (!hasFailed) {
      clearReply();
      notifications.show({ message: t('sent') });
      onSent?.();
    }
    await Promise.all([
      queryClient.invalidateQueries(trpc.replyDrafts.pathFilter()),
      queryClient.invalidateQueries(trpc.replies.pathFilter()),
      queryClient.invalidateQueries(trpc.queues.pathFilter()),
      queryClient.invalidateQueries(trpc.orders.one.queryFilter({ id: order.id })),
    ]);
  };

  return (
    <Stack gap="sm">
      {drafts.length > 0 && (
        <Group gap="sm">
          <ActionIcon
            variant="default"
            aria-label={t('older')}
            disabled={draftIndex <= 0}
            onClick={() => chooseDraft(drafts[draftIndex - 1])}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t('newer')}
            disabled={draftIndex === -1 || draftIndex === drafts.length - 1}
            onClick={() => chooseDraft(drafts[draftIndex + 1])}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
          {draft ? (
            <Text size="sm" c="dimmed" role="status">
              {t('draft', { number: draftIndex + 1, count: drafts.length })} ·{' '}
              {draft.requested_by === null ? t('byApi') : t('by', { name: draft.requested_by })} ·{' '}
              <Instant value={draft.created_at} brief />
            </Text>
          ) : (
            <Button variant="default" size="compact-sm" onClick={() => chooseDraft(drafts.at(-1))}>
              {t('draft', { number: drafts.length, count: drafts.length })}
            </Button>
          )}
          {draft && (
            <Button variant="subtle" size="compact-sm" onClick={() => chooseDraft(undefined)}>
              {t('byHand')}
            </Button>
          )}
        </Group>
      )}
      {draft?.sent && (
        <Alert color="yellow" variant="light" c="var(--mantine-color-text)">
          <Group justify="space-between" gap="sm">
            <span>{t('sentMeanwhile', { name: draft.sent.by })}</span>
            <Button variant="default" size="compact-sm" onClick={discardText}>
              {t('discardText')}
            </Button>
          </Group>
        </Alert>
      )}
      <MarkedTextarea
        label={t('text')}
        description={t('textHint')}
        value={text}
        markedValues={warnings.map(({ value }) => value)}
        // React discards what is typed before it hydrates the field, and an unsent text may still replace the draft.
        readOnly={!isRestored}
        onChange={(value) =>
          changeReply({ chosen: textKey, texts: { ...unsentReply.texts, [textKey]: value } })
        }
      />
      {warnings.length > 0 && <WarningList warnings={warnings} />}
      <Group gap="sm">
        <Button
          ref={copyButton}
          disabled={text.trim() === ''}
          onClick={() => clipboard.copy(text)}
          leftSection={
            clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
          }
        >
          {clipboard.copied ? t('copied') : t('copy')}
        </Button>
        <Button
          variant="default"
          disabled={text.trim() === ''}
          loading={markSent.isPending}
          onClick={() => void markAsSent()}
        >
          {t('markSent')}
        </Button>
        {original ? (
          <Button variant="subtle" onClick={restoreOriginal}>
            {t('original')}
          </Button>
        ) : (
          <Button
            variant="subtle"
            disabled={text.trim() === '' || turns.length === 0}
            loading={translate.isPending}
            onClick={() => void translateText()}
          >
            {t('forBuyer')}
          </Button>
        )}
      </Group>
      {translate.error && !translate.isPending && <WriteFailure error={translate.error} shop={order.shop} />}
      {original && (
        <Text size="sm" c="dimmed" role="status">
          {t('translated')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        <Sentences>
          {turns.length === 0 && text.trim() !== '' && noTurnsHint}
          {t('sentHint')}
        </Sentences>
      </Text>
    </Stack>
  );
}
