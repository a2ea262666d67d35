'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { FilterDays } from '../ui/list/filter-days';
import { FilterSelect, FilterText } from '../ui/list/list-filters';
import { ListPage } from '../ui/list/list-page';
import { useListAddress } from '../ui/list/use-list-address';
import { ApiCall } from '../ui/page/api-call';
import { useStatusOptions } from '../ui/value/status-badge';
import { REPLY_FILTERS, replyListQuery } from './queries';
import { type ListedReply, OUTCOME_STATUS, useReplyColumns } from './reply-columns';

const OUTCOMES = ['answered', 'refused', 'failed'] as const satisfies readonly ListedReply['outcome'][];

/** The log of replies. */
export function RepliesPage() {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const statusOptions = useStatusOptions();
  const columns = useReplyColumns();
  const address = useListAddress(REPLY_FILTERS);
  const { shop } = address.filters;
  const { data: prompts } = useQuery(trpc.prompts.list.queryOptions());
  const shops = [...new Set([...(prompts?.prompts.map((prompt) => prompt.shop_name) ?? []), shop ?? ''])];
  const { data, ...query } = useQuery(replyListQuery(trpc, address));
  return (
    <ListPage<ListedReply>
      id="replies"
      title={t('replies.title')}
      description={t('replies.description')}
      actions={
        <ApiCall
          request={{
            method: 'POST',
            path: '/api/marketplace/message',
            body: {
              shop_name: shop ?? prompts?.prompts[0]?.shop_name ?? '',
              order_number: '4165098857',
              messages: [{ sender: 'buyer', content: 'Hi, has my parcel been sent?' }],
            },
          }}
        />
      }
      address={address}
      filters={
        <>
          <FilterText address={address} name="order" label={t('replies.order')} />
          <FilterSelect
            address={address}
            name="shop"
            label={t('replies.shop')}
            options={shops.filter(Boolean).map((name) => ({ value: name, label: name }))}
          />
          <FilterSelect
            address={address}
            name="outcome"
            label={t('replies.outcome')}
            options={statusOptions(OUTCOMES, OUTCOME_STATUS)}
          />
          <FilterSelect
            address={address}
            name="warned"
            label={t('replies.warned')}
            options={[
              { value: 'yes', label: t('replies.warnedYes') },
              { value: 'no', label: t('replies.warnedNo') },
            ]}
          />
          <FilterSelect
            address={address}
            name="trial"
            label={t('replies.trial')}
            options={[
              { value: 'no', label: t('replies.trialNo') },
              { value: 'yes', label: t('replies.trialYes') },
            ]}
          />
          <FilterDays address={address} from="from" to="to" label={t('replies.days')} />
        </>
      }
      columns={columns}
      rowKey={({ id }) => id}
      query={{ ...query, data: data && { rows: data.replies, next: data.next } }}
      empty={{ title: t('replies.empty'), hint: t('replies.emptyHint') }}
    />
  );
}
