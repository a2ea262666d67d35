'use client';

import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { reasonOf } from '../../../server/core/errors/validation';
import { namesOfBuyer } from '../../../server/messages/buyer-names';
import { writeDraftInput } from '../../../server/messages/drafts/schema';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { useProblemText } from '../../ui/feedback/problem-text';
import { LoadError } from '../../ui/list/list-states';
import { Section } from '../../ui/page/detail-page';
import { replyDraftsQuery } from '../queries';
import type { Turn } from '../turn';
import { openDraftsOf } from './open-drafts';
import { readPastedTurns } from './pasted-turns';
import { ReplyDraft } from './reply-draft';
import { TranslatedMessage } from './translated-message';
import { useUnsentReply } from './unsent-reply';
import { WriteFailure } from './write-failure';

type Order = Pick<RouterOutputs['orders']['one'], 'id' | 'shop' | 'buyer' | 'name'>;

/** Returns whether a schema's issue is that one message is too long. */
const isTooLong = ({ code, path }: { code?: string; path: readonly PropertyKey[] }) =>
  code === 'too_big' && path.at(-1) === 'content';

/** Replies to the buyer of an order: paste what they wrote, get a draft, edit it, copy it, and mark it as sent. */
export function OrderReply({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useTranslations('reply');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { user } = useBackOffice();
  const replyState = useUnsentReply(user.email, order.id);
  const { unsentReply, changeReply } = replyState;
  const copyButton = useRef<HTMLButtonElement>(null);
  const problemText = useProblemText();
  const [pasteProblem, setPasteProblem] = useState<string | null>(null);
  const [draftIdToCopy, setDraftIdToCopy] = useState<string | null>(null);
  const draftsQuery = useQuery(replyDraftsQuery(trpc, order.id));
  const writeMutation = useMutation(trpc.replyDrafts.write.mutationOptions(SHOWS_OWN_ERROR));
  const currentDrafts = openDraftsOf(draftsQuery.data?.drafts ?? [], unsentReply.texts);
  const turns = readPastedTurns(unsentReply.pasted, {
    buyer: namesOfBuyer(order.buyer, order.name),
    shop: [order.shop],
  });

  const writeDraft = async () => {
    if (writeMutation.isPending) return;
    const input = writeDraftInput.safeParse({ order_id: order.id, messages: turns });
    const [issue] = input.error?.issues ?? [];
    if (issue) setPasteProblem(isTooLong(issue) ? t('tooLong') : problemText(reasonOf(issue)));
    else setPasteProblem(null);
    if (!input.success) return;
    const focusedElement = document.activeElement;
    // The error is shown by <WriteFailure>.
    const newDraft = await writeMutation.mutateAsync(input.data).catch(() => null);
    if (!newDraft) return;
    await queryClient.invalidateQueries(replyDraftsQuery(trpc, order.id));
    changeReply({ chosen: newDraft.id });
    void queryClient.invalidateQueries(trpc.replies.pathFilter());
    if (focusedElement === document.activeElement) setDraftIdToCopy(newDraft.id);
  };

  // Focuses the Copy button of a new draft, so that Enter copies it, unless the user has moved the focus. Waits until the draft is
  // on the page, because without a text the button is disabled and cannot be focused.
  const isDraftShown = currentDrafts.some(({ id }) => id === draftIdToCopy);
  useEffect(() => {
    if (!isDraftShown) return;
    copyButton.current?.focus();
    setDraftIdToCopy(null);
  }, [isDraftShown]);

  return (
    <Section
      title={t('title')}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <Stack gap="md" maw={720}>
        <Textarea
          label={t('pasted')}
          description={t('pastedHint')}
          autosize
          minRows={3}
          maxRows={12}
          data-autofocus
          autoFocus
          value={unsentReply.pasted}
          error={pasteProblem}
          onChange={({ currentTarget }) => changeReply({ pasted: currentTarget.value })}
          onKeyDown={getHotkeyHandler([['mod+Enter', () => void writeDraft()]])}
        />
        <ConversationSummary turns={turns} />
        <TranslatedMessage order={order} replyState={replyState} />
        <Group gap="sm">
          <Button
            variant={currentDrafts.length > 0 ? 'default' : 'filled'}
            loading={writeMutation.isPending}
            onClick={() => void writeDraft()}
            aria-keyshortcuts="Control+Enter"
          >
            {currentDrafts.length > 0 ? t('again') : t('write')}
          </Button>
          <Text role="status" size="sm" c="dimmed">
            {writeMutation.isPending && t('writing')}
          </Text>
        </Group>
        {writeMutation.error && !writeMutation.isPending && (
          <WriteFailure error={writeMutation.error} shop={order.shop} />
        )}
        {draftsQuery.data ? (
          <ReplyDraft
            order={order}
            drafts={currentDrafts}
            turns={turns}
            noTurnsHint={t('forBuyerHint')}
            replyState={replyState}
            copyButton={copyButton}
          />
        ) : (
          draftsQuery.error && <LoadError error={draftsQuery.error} onRetry={draftsQuery.refetch} />
        )}
      </Stack>
    </Section>
  );
}

/** Says how a pasted conversation was read, unless it is empty or one message from the buyer. */
function ConversationSummary({ turns }: { turns: readonly Turn[] }) {
  const t = useTranslations('reply');
  const buyerTurnCount = turns.filter(({ sender }) => sender === 'buyer').length;
  if (turns.length < 2 && buyerTurnCount === turns.length) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('read', { buyer: buyerTurnCount, shop: turns.length - buyerTurnCount })}
    </Text>
  );
}
