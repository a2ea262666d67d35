'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import type { Column } from '../../ui/list/table/list-table';
import { ClippedText } from '../../ui/value/clipped-text';
import { type Status, StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import { ToneBadge } from '../../ui/value/tone-badge';
import { useReplyFigureFormatter } from './reply-figures';

export type ListedReply = RouterOutputs['replies']['list']['replies'][number];

/** The status that the badge shows for each outcome of a reply request. */
export const OUTCOME_STATUSES = {
  answered: 'written',
  refused: 'declined',
  failed: 'failed',
} as const satisfies Record<ListedReply['outcome'], Status>;

const REQUESTER_TEXTS = messageKeys('messages', {
  trial: 'replies.by.trial',
  draft: 'replies.by.draft',
  handwritten: 'replies.by.handwritten',
  translation: 'replies.by.translation',
});

/** Returns a function that names who requested a reply: an API key or a user of the back office; a dash if that is not recorded. */
export function useRequesterName(): (
  reply: Pick<ListedReply, 'kind' | 'api_key' | 'requested_by'>,
) => string {
  const t = useTranslations('messages');
  return ({ kind, api_key: key, requested_by: name }) =>
    kind === 'request' || name === null ? (key ?? '–') : t(REQUESTER_TEXTS[kind], { name });
}

/** Returns the columns of the reply log. */
export function useReplyColumns(): Column<ListedReply>[] {
  const t = useTranslations('messages');
  const format = useFormatter();
  const figureFormatter = useReplyFigureFormatter();
  const requesterName = useRequesterName();
  const { prefix } = useBackOffice();
  return [
    {
      key: 'id',
      label: t('replies.id'),
      heading: true,
      render: ({ id }) => (
        <Anchor component={Link} href={`${prefix}/messages/replies/${id}`} prefetch={false} className="mono">
          {id}
        </Anchor>
      ),
    },
    {
      key: 'when',
      label: t('replies.when'),
      card: 'beside',
      render: ({ created_at: at }) => <Instant value={at} brief />,
    },
    { key: 'shop', label: t('replies.shop'), render: ({ shop_name: shop }) => <ClippedText text={shop} /> },
    {
      key: 'order',
      label: t('replies.order'),
      card: 'fact',
      render: ({ order_number: orderNumber, order_id: orderId }) =>
        orderId === null ? (
          <span className="mono">{orderNumber ?? '–'}</span>
        ) : (
          <Anchor component={Link} href={`${prefix}/orders/${orderId}`} prefetch={false} className="mono">
            {orderNumber}
          </Anchor>
        ),
    },
    {
      key: 'outcome',
      label: t('replies.outcome'),
      card: 'end',
      render: ({ outcome }) => <StatusBadge status={OUTCOME_STATUSES[outcome]} />,
    },
    {
      key: 'excerpt',
      label: t('replies.excerpt'),
      grow: true,
      card: 'fact',
      render: ({ excerpt }) => <ClippedText text={excerpt} />,
    },
    {
      key: 'warned',
      label: t('replies.warned'),
      numeric: true,
      render: ({ warning_count: count }) =>
        count === 0 ? '–' : <ToneBadge tone="due">{format.number(count)}</ToneBadge>,
    },
    {
      key: 'sent',
      label: t('replies.sent'),
      render: ({ sent_at: at }) => (at === null ? '–' : <Instant value={at} />),
    },
    {
      key: 'asked',
      label: t('replies.asked'),
      render: (reply) => <ClippedText text={requesterName(reply)} />,
    },
    { key: 'buyer', label: t('replies.buyer'), hidden: true, render: ({ buyer_name: name }) => name ?? '–' },
    {
      key: 'version',
      label: t('replies.version'),
      hidden: true,
      render: ({ prompt_version: version }) => (version === null ? '–' : t('prompt.version', { version })),
    },
    { key: 'model', label: t('replies.model'), hidden: true, render: ({ model }) => model },
    {
      key: 'tokens',
      label: t('replies.tokens'),
      numeric: true,
      hidden: true,
      render: ({ input_tokens: input, output_tokens: output }) => figureFormatter.tokens(input, output),
    },
    {
      key: 'duration',
      label: t('replies.duration'),
      numeric: true,
      render: ({ duration_ms: ms }) => figureFormatter.duration(ms),
    },
  ];
}
