'use client';

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageKeys } from '../../i18n/message-keys';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { FilterText } from '../ui/list/list-filters';
import { ListPage } from '../ui/list/list-page';
import { useListAddress } from '../ui/list/use-list-address';
import { CopyId } from '../ui/value/copy-id';
import { Instant } from '../ui/value/instant';
import { AUDIT_FILTERS, auditQuery } from './queries';

type AuditEntry = RouterOutputs['audit']['list']['entries'][number];

const AuditChange = dynamic(() => import('./audit-change').then((module) => module.AuditChange), {
  ssr: false,
});

/** The names under which the service logs its own actions: creating the first owner and key, and setting a shop's currency. */
const SYSTEM_ACTORS = messageKeys('audit', {
  'first start': 'firstStart',
  'currency of its orders': 'ordersCurrency',
});

/** Who changed what, and when. Read-only. */
export function AuditPage() {
  const t = useTranslations('audit');
  const trpc = useTRPC();
  const address = useListAddress(AUDIT_FILTERS);
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const { data, ...query } = useQuery(auditQuery(trpc, address));
  return (
    <>
      <ListPage<AuditEntry>
        id="audit"
        title={t('title')}
        description={t('description')}
        address={address}
        filters={
          <>
            <FilterText address={address} name="actor" label={t('actor')} />
            <FilterText address={address} name="action" label={t('action')} />
            <FilterText address={address} name="record_type" label={t('recordType')} />
            <FilterText address={address} name="record_id" label={t('recordId')} />
          </>
        }
        query={{ ...query, data: data && { rows: data.entries, next: data.next } }}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'action',
            label: t('action'),
            heading: true,
            render: ({ action }) => <span className="mono">{action}</span>,
          },
          { key: 'when', label: t('when'), render: ({ created_at: at }) => <Instant value={at} /> },
          {
            key: 'actor',
            label: t('actor'),
            render: ({ actor }) =>
              actor in SYSTEM_ACTORS ? t(SYSTEM_ACTORS[actor as keyof typeof SYSTEM_ACTORS]) : actor,
          },
          {
            key: 'record',
            label: t('record'),
            render: ({ record_type: type, record_id: id }) => <CopyId value={id} shown={`${type} ${id}`} />,
          },
          {
            key: 'address',
            label: t('address'),
            render: ({ address: from }) => <span className="mono">{from ?? '–'}</span>,
          },
          {
            key: 'request',
            label: t('request'),
            hidden: true,
            render: ({ request_id: id }) => (id ? <CopyId value={id} /> : '–'),
          },
          {
            key: 'change',
            label: t('change'),
            actions: true,
            render: (entry) =>
              entry.before === null && entry.after === null ? null : (
                <Button size="compact-sm" variant="default" onClick={() => setOpened(entry)}>
                  {t('change')}
                </Button>
              ),
          },
        ]}
        empty={{ title: t('none'), hint: t('noneHint') }}
      />
      {opened && <AuditChange entry={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
