'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { hasPermission } from '../../../server/identity/roles';
import { CALLBACK_OUTCOMES } from '../../../server/tracking/callbacks/outcomes';
import { useTRPC } from '../../api/client';
import { useBackOffice } from '../../shell/back-office';
import { DaysFilter } from '../../ui/list/filter/days-filter';
import { SelectFilter, TextFilter } from '../../ui/list/filter/list-filters';
import { ListPage } from '../../ui/list/list-page';
import { useListUrl } from '../../ui/list/use-list-url';
import { useSelectionReset } from '../../ui/list/use-selection-reset';
import type { ApiRequest } from '../../ui/page/api-call-text';
import { useStatusOptions } from '../../ui/value/status-badge';
import { CALLBACK_FILTERS, callbackListQuery } from '../queries';
import { BulkReplayButton } from '../replay';
import { type Callback, OUTCOME_STATUSES, useCallbackColumns } from './callback-columns';

/** Returns a sample callback in the plain format. */
const sampleCallback = (number = 'LX123456789CN'): ApiRequest => ({
  method: 'POST',
  path: '/api/v1/tracks',
  body: {
    event: 'tracking',
    data: { tracking_number: number, status: 'delivered', time: '2026-08-28T15:04:00Z' },
  },
});

/** The callbacks that carriers have sent. */
export function CallbacksPage() {
  const t = useTranslations('tracking');
  const trpc = useTRPC();
  const { user } = useBackOffice();
  const statusOptions = useStatusOptions();
  const url = useListUrl(CALLBACK_FILTERS);
  const columns = useCallbackColumns();
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([]);
  useSelectionReset(url.filters, () => setSelectedIds([]));
  const { data, ...query } = useQuery(callbackListQuery(trpc, url));
  return (
    <ListPage<Callback>
      id="callbacks"
      title={t('callbacks.title')}
      description={t('callbacks.description')}
      api={sampleCallback(url.filters.number)}
      url={url}
      filters={
        <>
          <TextFilter url={url} name="number" label={t('callbacks.number')} />
          <SelectFilter
            url={url}
            name="outcome"
            label={t('callbacks.outcome')}
            options={statusOptions(CALLBACK_OUTCOMES, OUTCOME_STATUSES)}
          />
          <DaysFilter url={url} from="from" to="to" label={t('callbacks.days')} />
        </>
      }
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ id }) => t('callbacks.one', { id })}
      query={{ ...query, data: data && { rows: data.records, next: data.next } }}
      empty={{ title: t('callbacks.empty'), hint: t('callbacks.emptyHint') }}
      selection={
        hasPermission(user.role, 'tracking.write')
          ? {
              selectedKeys: selectedIds,
              onChange: setSelectedIds,
              actions: (ids) => <BulkReplayButton ids={ids} />,
            }
          : undefined
      }
    />
  );
}
