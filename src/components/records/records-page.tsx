'use client';

import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { DaysFilter } from '../ui/list/filter/days-filter';
import { ListPage } from '../ui/list/list-page';
import { useListUrl } from '../ui/list/use-list-url';
import { CopyableText } from '../ui/value/copyable-text';
import { useSizeText } from '../ui/value/size-text';
import { Instant } from '../ui/value/time/instant';
import { RECORD_FILTERS, recordListQuery } from './queries';

type DebugRecord = RouterOutputs['records']['list']['records'][number];

/** The debug records: requests that programs sent for inspection. */
export function RecordsPage() {
  const t = useTranslations('records');
  const trpc = useTRPC();
  const { prefix } = useBackOffice();
  const sizeText = useSizeText();
  const url = useListUrl(RECORD_FILTERS);
  const { data, ...query } = useQuery(recordListQuery(trpc, url));
  return (
    <ListPage<DebugRecord>
      id="records"
      title={t('title')}
      description={t('description')}
      api={{ method: 'POST', path: '/api/v1/marketplace', body: { hello: 'Brickdesk' } }}
      url={url}
      filters={<DaysFilter url={url} from="from" to="to" label={t('when')} />}
      query={{ ...query, data: data && { rows: data.records, next: data.next } }}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'id',
          label: t('record'),
          heading: true,
          render: ({ id, method }) => (
            <Anchor component={Link} prefetch={false} href={`${prefix}/records/${id}`} className="mono">
              {`${method} ${id}`}
            </Anchor>
          ),
        },
        { key: 'when', label: t('when'), render: ({ received_at: at }) => <Instant value={at} /> },
        { key: 'key', label: t('key'), render: ({ api_key: name }) => name ?? '–' },
        { key: 'size', label: t('size'), numeric: true, render: ({ size: bytes }) => sizeText(bytes) },
        {
          key: 'request',
          label: t('request'),
          render: ({ request_id: id }) => (id ? <CopyableText value={id} /> : '–'),
        },
      ]}
      empty={{ title: t('none'), hint: t('noneHint') }}
    />
  );
}
