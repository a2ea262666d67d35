'use client';

import { Anchor, Badge } from '@mantine/core';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import type { Column } from '../ui/list/list-table';
import { Clipped } from '../ui/value/clipped';
import { Instant } from '../ui/value/instant';
import { type Status, StatusBadge } from '../ui/value/status-badge';
import { useReplyFigures } from './reply-figures';

export type ListedReply = RouterOutputs['replies']['list']['replies'][number];

/** How the outcomes of reply requests are shown. */
export const OUTCOME_STATUS = {
  answered: 'answered',
  refused: 'declined',
  failed: 'failed',
} as const satisfies Record<ListedReply['outcome'], Status>;

/** Who requested a reply: the key's name, or a user in the playground. */
export function useAskedBy(): (reply: Pick<ListedReply, 'api_key' | 'trial_by'>) => string {
  const t = useTranslations('messages');
  return ({ api_key: key, trial_by: person }) =>
    person === null ? (key ?? '–') : t('replies.trialBy', { name: person });
}

/** The columns of the reply log. */
export function useReplyColumns(): Column<ListedReply>[] {
  const t = useTranslations('messages');
  const format = useFormatter();
  const figures = useReplyFigures();
  const askedBy = useAskedBy();
  const { prefix } = useDesk();
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
    { key: 'when', label: t('replies.when'), render: ({ created_at: at }) => <Instant value={at} /> },
    { key: 'shop', label: t('replies.shop'), render: ({ shop_name: shop }) => <Clipped text={shop} /> },
    {
      key: 'order',
      label: t('replies.order'),
      render: ({ order_number: number }) => <span className="mono">{number ?? '–'}</span>,
    },
    {
      key: 'outcome',
      label: t('replies.outcome'),
      render: ({ outcome }) => <StatusBadge status={OUTCOME_STATUS[outcome]} />,
    },
    {
      key: 'excerpt',
      label: t('replies.excerpt'),
      grow: true,
      render: ({ excerpt }) => <Clipped text={excerpt} />,
    },
    {
      key: 'warned',
      label: t('replies.warned'),
      figures: true,
      render: ({ warning_count: count }) =>
        count === 0 ? '–' : <Badge color="yellow">{format.number(count)}</Badge>,
    },
    { key: 'asked', label: t('replies.asked'), render: (reply) => <Clipped text={askedBy(reply)} /> },
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
      figures: true,
      hidden: true,
      render: ({ input_tokens: input, output_tokens: output }) => figures.tokens(input, output),
    },
    {
      key: 'duration',
      label: t('replies.duration'),
      figures: true,
      render: ({ duration_ms: ms }) => figures.duration(ms),
    },
  ];
}
