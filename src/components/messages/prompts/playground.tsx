'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { ApiCall } from '../../ui/page/api-call';
import { Section } from '../../ui/page/detail-page';
import styles from '../messages.module.css';
import { ConversationEditor } from './conversation-editor';
import { type Conversation, createReplyRequest, useConversationForm } from './playground-form';
import type { ShopPrompt } from './shop-prompt';
import { TrialReply } from './trial-reply';

type Trials = RouterOutputs['prompts']['try'];

/** Lets the draft and the live prompt reply to the same conversation. */
export function Playground({
  prompt,
  initialConversation,
  replyId = 'new',
  disabled,
}: {
  prompt: ShopPrompt;
  initialConversation: Conversation;
  /** The id of the logged reply that the conversation is from; `new` for a new conversation. */
  replyId?: string;
  /** True while the editor has unsaved text: only saved versions can be tried. */
  disabled: boolean;
}) {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { form, validate, isEdited, startOver } = useConversationForm(
    initialConversation,
    `${prompt.shop} ${replyId}`,
  );
  const trial = useMutation(
    trpc.prompts.try.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.replies.pathFilter()),
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = validate(prompt.shop);
    if (input && !disabled && !trial.isPending) trial.mutate(input);
  };
  const { live, draft } = prompt;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text c="dimmed" maw={720}>
          {t('try.hint')}
        </Text>
        <ConversationEditor form={form} />
        <Group gap="sm">
          <Button type="submit" loading={trial.isPending} disabled={disabled}>
            {live && draft ? t('try.run') : live ? t('try.runLive') : t('try.runDraft')}
          </Button>
          {isEdited && (
            <Button variant="default" onClick={startOver}>
              {t('try.startOver')}
            </Button>
          )}
          <ApiCall
            request={{
              method: 'POST',
              path: '/api/marketplace/message',
              body: createReplyRequest(prompt.shop, form.getValues()),
            }}
          />
        </Group>
        {(trial.isPending || trial.data) && (
          <Replies
            trials={trial.isPending ? undefined : trial.data}
            onUse={(content) => form.insertListItem('messages', { sender: 'shop', content })}
          />
        )}
      </Stack>
    </form>
  );
}

/** The two replies, or placeholders while they are being written. */
function Replies({ trials, onUse }: { trials: Trials | undefined; onUse: (reply: string) => void }) {
  const t = useTranslations('messages');
  return (
    <Section title={t('try.results')}>
      <div className={styles.replies} aria-live="polite" aria-busy={trials === undefined}>
        <TrialReply state="draft" trial={trials?.draft} emptyText={t('try.noDraft')} onUse={onUse} />
        <TrialReply state="published" trial={trials?.live} emptyText={t('try.noLive')} onUse={onUse} />
      </div>
    </Section>
  );
}
