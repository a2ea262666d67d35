'use client';

import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconChevronLeft, IconChevronRight, IconCopy } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { RefObject } from 'react';
import { useTRPC } from '../../api/client';
import { OWN_ERROR } from '../../api/page-queries';
import { Instant } from '../../ui/value/instant';
import { stillHolds, WarningList } from '../reply-text';
import { MarkedTextarea } from './marked-textarea';
import { NotWritten } from './not-written';
import type { Draft } from './open-drafts';
import type { PastedTurn } from './pasted-turns';
import { BY_HAND, newKey, type useUnsentReply, withTranslation } from './unsent-reply';

interface Props {
  order: { id: string; shop: string };
  /** The drafts to choose from, oldest first. */
  drafts: readonly Draft[];
  /** The conversation as pasted. */
  turns: readonly PastedTurn[];
  reply: ReturnType<typeof useUnsentReply>;
  /** Focused once a draft is written. */
  copyButton?: RefObject<HTMLButtonElement | null>;
  onSent?: () => void;
}

/** The reply to send: the chosen draft as edited, or a text written by hand. */
export function ReplyDraft({ order, drafts, turns, reply, copyButton, onSent }: Props) {
  const t = useTranslations('reply');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { unsent, change, forget } = reply;
  const clipboard = useClipboard();
  const markSent = useMutation(trpc.replyDrafts.markSent.mutationOptions());
  const index =
    unsent.chosen === BY_HAND
      ? -1
      : ((found) => (found === -1 ? drafts.length - 1 : found))(
          drafts.findIndex(({ id }) => id === unsent.chosen),
        );
  const draft = drafts[index];
  const key = draft?.id ?? BY_HAND;
  const text = unsent.texts[key] ?? draft?.reply ?? '';
  const original = unsent.originals[key];
  const warnings = (original ?? draft)?.warnings.filter((warning) => stillHolds(warning, text)) ?? [];
  const choose = (next: Draft | undefined) => change({ chosen: next?.id ?? BY_HAND });

  const translate = useMutation(trpc.replyDrafts.translateReply.mutationOptions(OWN_ERROR));
  const translateText = async () => {
    const translation = await translate
      .mutateAsync({ order_id: order.id, text, messages: [...turns] })
      .catch(() => null);
    if (!translation) return;
    // Another draft may be chosen by now; `key` still identifies the translated one.
    change((latest) => withTranslation(latest, { replyKey: unsent.key, key, text }, translation));
    await queryClient.invalidateQueries(trpc.replies.pathFilter());
  };
  const restore = () => {
    const { [key]: lastOriginal, ...originals } = unsent.originals;
    change({ texts: { ...unsent.texts, [key]: lastOriginal?.text ?? '' }, originals });
  };

  const send = async () => {
    // The shared error handler shows a failure; the text is kept.
    const hasFailed = await markSent
      .mutateAsync({ order_id: order.id, draft_id: draft?.id ?? null, key: unsent.key ?? newKey(), text })
      .then(() => false)
      .catch(() => true);
    if (!hasFailed) {
      forget();
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
            disabled={index <= 0}
            onClick={() => choose(drafts[index - 1])}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t('newer')}
            disabled={index === -1 || index === drafts.length - 1}
            onClick={() => choose(drafts[index + 1])}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
          {draft ? (
            <Text size="sm" c="dimmed" role="status">
              {t('draft', { number: index + 1, count: drafts.length })} ·{' '}
              {draft.requested_by === null ? t('byApi') : t('by', { name: draft.requested_by })} ·{' '}
              <Instant value={draft.created_at} brief />
            </Text>
          ) : (
            <Button variant="default" size="compact-sm" onClick={() => choose(drafts.at(-1))}>
              {t('draft', { number: drafts.length, count: drafts.length })}
            </Button>
          )}
          {draft && (
            <Button variant="subtle" size="compact-sm" onClick={() => choose(undefined)}>
              {t('byHand')}
            </Button>
          )}
        </Group>
      )}
      <MarkedTextarea
        label={t('text')}
        description={t('textHint')}
        value={text}
        markedValues={warnings.map(({ value }) => value)}
        onChange={(value) => change({ chosen: key, texts: { ...unsent.texts, [key]: value } })}
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
          onClick={() => void send()}
        >
          {t('markSent')}
        </Button>
        {original ? (
          <Button variant="subtle" onClick={restore}>
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
      {translate.error && !translate.isPending && <NotWritten error={translate.error} shop={order.shop} />}
      {original && (
        <Text size="sm" c="dimmed" role="status">
          {t('translated')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {turns.length === 0 && text.trim() !== '' && `${t('forBuyerHint')} `}
        {t('sentHint')}
      </Text>
    </Stack>
  );
}
