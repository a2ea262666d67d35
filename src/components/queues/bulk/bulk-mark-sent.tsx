'use client';

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import { ConfirmAction } from '../../ui/form/confirm-action';
import type { Entry } from '../use-queue-work';

/** Marks the replies of several entries as sent, with the text of their drafts. */
export function BulkMarkSent({ entries, onDone }: { entries: readonly Entry[]; onDone: () => void }) {
  const t = useTranslations('queues');
  const format = useFormatter();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const count = entries.length;
  const warnedReplyCount = entries.filter(({ reply }) => reply !== null && reply.warnings > 0).length;
  const markSent = useMutation(
    trpc.replyDrafts.markManySent.mutationOptions({
      onSuccess: ({ changed: changedOrderIds }) => {
        notifications.show({ message: t('review.sent', { count: changedOrderIds.length }) });
        const changedIds = new Set(changedOrderIds);
        const unchangedNumbers = entries.filter(({ id }) => !changedIds.has(id)).map(({ number }) => number);
        if (unchangedNumbers.length > 0)
          notifications.show({
            color: 'red',
            autoClose: false,
            message: t('review.notSent', { numbers: format.list(unchangedNumbers, { style: 'narrow' }) }),
          });
        onDone();
        return Promise.all(
          [trpc.queues, trpc.replyDrafts, trpc.replies, trpc.orders].map((router) =>
            queryClient.invalidateQueries(router.pathFilter()),
          ),
        );
      },
    }),
  );
  const replies = entries.flatMap(({ id: order_id, shop_id, reply }) =>
    reply === null || shop_id === null ? [] : [{ shop_id, order_id, id: reply.id }],
  );
  return (
    <ConfirmAction
      title={t('review.markTitle', { count })}
      message={t('review.markHint', { warned: warnedReplyCount })}
      action={t('review.mark')}
      onConfirm={() => markSent.mutateAsync({ replies })}
    >
      {(ask) => (
        <Button variant="default" onClick={ask}>
          {t('review.mark')}
        </Button>
      )}
    </ConfirmAction>
  );
}
