'use client';

import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { openDraftsOf } from '../../messages/order-reply/open-drafts';
import { ReplyDraft } from '../../messages/order-reply/reply-draft';
import { useUnsentReply } from '../../messages/order-reply/unsent-reply';
import { replyDraftsQuery } from '../../messages/queries';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { Section } from '../../ui/page/detail-page';

interface Props {
  order: RouterOutputs['orders']['one'];
  onSent: () => void;
}

/** The draft of an entry's reply, to check, edit, copy and mark as sent. */
export function QueueReply({ order, onSent }: Props) {
  const t = useTranslations('queues');
  const trpc = useTRPC();
  const { user } = useBackOffice();
  const replyState = useUnsentReply(user.email, order.id);
  const { data, error, refetch } = useQuery(replyDraftsQuery(trpc, order.id));
  return (
    <Section title={t('review.title')}>
      {data ? (
        <ReplyDraft
          order={order}
          drafts={openDraftsOf(data.drafts, replyState.unsentReply.texts)}
          turns={[]}
          replyState={replyState}
          onSent={onSent}
        />
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <Skeleton height={160} />
      )}
    </Section>
  );
}
