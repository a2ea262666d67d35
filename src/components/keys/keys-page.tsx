'use client';

import { Anchor, Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { useBackOffice } from '../shell/back-office';
import { SearchAndStateFilters } from '../ui/list/filter/list-filters';
import { matchesSearch } from '../ui/list/filter/list-match';
import { ListPage } from '../ui/list/list-page';
import { RowMenu } from '../ui/list/table/row-menu';
import { useListUrl } from '../ui/list/use-list-url';
import { StatusBadge, useStatusOptions } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';
import { CREDENTIAL_STATUSES } from './credential-statuses';
import { useKeyActions } from './key-actions';
import type { ApiKey } from './key-form';

/** The API keys: what each may do, and when it was last used. */
export function KeysPage() {
  const t = useTranslations('keys');
  const trpc = useTRPC();
  const { prefix } = useBackOffice();
  const url = useListUrl(['search', 'state']);
  const { search, state } = url.filters;
  const { data, ...query } = useQuery(trpc.keys.list.queryOptions(undefined, SHOWS_OWN_ERROR));
  const keyActions = useKeyActions();
  const statusOptions = useStatusOptions();
  const createButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={keyActions.openCreateForm}>
      {t('create')}
    </Button>
  );
  const isShown = (key: ApiKey) =>
    matchesSearch(search, [key.name, key.prefix, key.last_four, key.created_by]) &&
    (!state || key.state === state);
  return (
    <>
      <ListPage<ApiKey>
        id="keys"
        title={t('title')}
        description={t('description')}
        actions={createButton}
        url={url}
        filters={
          <SearchAndStateFilters
            url={url}
            searchLabel={t('search')}
            stateLabel={t('state')}
            stateOptions={statusOptions(['active', 'expired', 'revoked'], CREDENTIAL_STATUSES)}
          />
        }
        query={{ ...query, data: data && { rows: data.filter(isShown) } }}
        rowKey={({ id }) => String(id)}
        columns={[
          {
            key: 'name',
            label: t('name'),
            heading: true,
            render: ({ id, name }) => (
              <Anchor component={Link} prefetch={false} href={`${prefix}/keys/${id}`}>
                {name}
              </Anchor>
            ),
          },
          {
            key: 'key',
            label: t('key'),
            render: ({ prefix: start, last_four: end }) => <span className="mono">{`${start}…${end}`}</span>,
          },
          {
            key: 'state',
            label: t('state'),
            card: 'end',
            render: ({ state: keyState, rotation }) => (
              <>
                <StatusBadge status={CREDENTIAL_STATUSES[keyState]} />
                {rotation && keyState === 'active' && (
                  <Text size="xs" c="dimmed">
                    {t('replaced', { count: rotation.calls_since })}
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'scopes',
            label: t('scopes'),
            render: ({ scopes }) => (
              <span title={scopes.join('\n') || undefined}>{t('scopeCount', { count: scopes.length })}</span>
            ),
          },
          {
            key: 'ranges',
            label: t('ranges'),
            render: ({ address_ranges: ranges }) =>
              ranges.length === 0 ? t('everywhere') : <span className="mono">{ranges.join(', ')}</span>,
          },
          { key: 'createdBy', label: t('createdBy'), render: ({ created_by: creator }) => creator },
          {
            key: 'created',
            label: t('createdAt'),
            hidden: true,
            render: ({ created_at: at }) => <Instant value={at} />,
          },
          {
            key: 'used',
            label: t('used'),
            card: 'labelled',
            render: ({ last_used_at: at }) => (at ? <Instant value={at} /> : t('neverUsed')),
          },
          {
            key: 'expires',
            label: t('expires'),
            card: 'labelled',
            render: ({ expires_at: at }) => (at ? <Instant value={at} dateOnly /> : t('expiry.never')),
          },
          {
            key: 'actions',
            label: t('actions'),
            actions: true,
            render: (key) => <RowMenu name={key.name} actions={keyActions.actionsOf(key)} />,
          },
        ]}
        empty={{ title: t('none'), hint: t('noneHint'), action: createButton }}
      />
      {keyActions.dialogs}
    </>
  );
}
