'use client';

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import { hasPermission } from '../../../server/identity/roles';
import { REPLY_KINDS } from '../../../server/messages/replies/filters';
import { useTRPC } from '../../api/client';
import { useBackOffice } from '../../shell/back-office';
import { DaysFilter } from '../../ui/list/filter/days-filter';
import { SelectFilter, TextFilter } from '../../ui/list/filter/list-filters';
import { ListPage } from '../../ui/list/list-page';
import { useListUrl } from '../../ui/list/use-list-url';
import { useStatusOptions } from '../../ui/value/status-badge';
import { REPLY_FILTERS, replyListQuery } from '../queries';
import { type ListedReply, OUTCOME_STATUSES, useReplyColumns } from './reply-columns';

const OUTCOMES = ['answered', 'refused', 'failed'] as const satisfies readonly ListedReply['outcome'][];

const KIND_NAMES = messageKeys('messages', {
  request: 'replies.kinds.request',
  trial: 'replies.kinds.trial',
  draft: 'replies.kinds.draft',
  handwritten: 'replies.kinds.handwritten',
  translation: 'replies.kinds.translation',
});

/** The log of replies. */
export function RepliesPage() {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const { prefix, user } = useBackOffice();
  const statusOptions = useStatusOptions();
  const columns = useReplyColumns();
  const url = useListUrl(REPLY_FILTERS);
  const { shop, order } = url.filters;
  const { data: prompts } = useQuery(trpc.prompts.list.queryOptions());
  const shopNames = [...new Set([...(prompts?.prompts.map((prompt) => prompt.shop_name) ?? []), shop ?? ''])];
  const { data, ...query } = useQuery(replyListQuery(trpc, url));
  return (
    <ListPage<ListedReply>
      id="replies"
      title={t('replies.title')}
      description={t('replies.description')}
      api={{
        method: 'POST',
        path: '/api/marketplace/message',
        body: {
          shop_name: shop ?? prompts?.prompts[0]?.shop_name ?? '',
          order_number: order ?? '4165098857',
          messages: [{ sender: 'buyer', content: 'Hi, has my parcel been sent?' }],
        },
      }}
      url={url}
      filters={
        <>
          <TextFilter url={url} name="order" label={t('replies.order')} />
          <SelectFilter
            url={url}
            name="shop"
            label={t('replies.shop')}
            options={shopNames.filter(Boolean).map((name) => ({ value: name, label: name }))}
          />
          <SelectFilter
            url={url}
            name="outcome"
            label={t('replies.outcome')}
            options={statusOptions(OUTCOMES, OUTCOME_STATUSES)}
          />
          <SelectFilter
            url={url}
            name="warned"
            label={t('replies.warned')}
            options={[
              { value: 'yes', label: t('replies.warnedYes') },
              { value: 'no', label: t('replies.warnedNo') },
            ]}
          />
          <SelectFilter
            url={url}
            name="kind"
            label={t('replies.kind')}
            options={REPLY_KINDS.map((kind) => ({ value: kind, label: t(KIND_NAMES[kind]) }))}
          />
          <SelectFilter
            url={url}
            name="sent"
            label={t('replies.sent')}
            options={[
              { value: 'yes', label: t('replies.sentYes') },
              { value: 'no', label: t('replies.sentNo') },
            ]}
          />
          <DaysFilter url={url} from="from" to="to" label={t('replies.days')} />
        </>
      }
      columns={columns}
      rowKey={({ id }) => id}
      query={{ ...query, data: data && { rows: data.replies, next: data.next } }}
      empty={{
        title: t('replies.empty'),
        hint: hasPermission(user.role, 'messages.write') && t('replies.emptyHint'),
        action: (
          <Button component={Link} prefetch={false} href={`${prefix}/messages`}>
            {t('replies.openPrompts')}
          </Button>
        ),
      }}
    />
  );
}
