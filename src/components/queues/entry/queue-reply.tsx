'use client';

import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { Conversation } from '../../messages/conversation';
import { chosenIndexOf, openDraftsOf } from '../../messages/order-reply/open-drafts';
import { ReplyDraft } from '../../messages/order-reply/reply-draft';
import { useUnsentReply } from '../../messages/order-reply/unsent-reply';
import { replyDraftsQuery, replyQuery } from '../../messages/queries';
import { readTurns } from '../../messages/turn';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { Section } from '../../ui/page/detail-page';
import styles from '../queue.module.css';

interface Props {
  order: RouterOutputs['orders']['one'];
  onSent: () => void;
}

/** The conversation and the draft of an entry's reply, to check, edit, translate, copy and mark as sent. */
export function QueueReply({ order, onSent }: Props) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const { user } = useBackOffice();
  const replyState = useUnsentReply(user.email, order.id);
  const { chosen, texts } = replyState.unsentReply;
  const draftsQuery = useQuery(replyDraftsQuery(trpc, order.id));
  const drafts = openDraftsOf(draftsQuery.data?.drafts ?? [], texts);
  // A reply by hand responds to the same messages as the newest draft.
  const draft = drafts[chosenIndexOf(drafts, chosen)] ?? drafts.at(-1);
  const conversationQuery = useQuery({ ...replyQuery(trpc, draft?.id ?? ''), enabled: draft !== undefined });
  const turns = readTurns(conversationQuery.data?.messages);
  return (
    <Section title={t('review.title')}>
      {turns.length > 0 && (
        <section
          className={styles.conversation}
          aria-label={t('review.conversation')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long conversation is scrolled with the keyboard
          tabIndex={0}
          data-scrolls
        >
          <Conversation turns={turns} />
        </section>
      )}
      {conversationQuery.error && (
        <LoadError error={conversationQuery.error} onRetry={conversationQuery.refetch} />
      )}
      {draftsQuery.data ? (
        <ReplyDraft
          order={order}
          drafts={drafts}
          turns={turns}
          noTurnsHint={conversationQuery.data ? t('review.noConversation') : null}
          replyState={replyState}
          onSent={onSent}
        />
      ) : draftsQuery.error ? (
        <LoadError error={draftsQuery.error} onRetry={draftsQuery.refetch} />
      ) : (
        <Skeleton height={160} />
      )}
    </Section>
  );
}
