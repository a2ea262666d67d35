'use client';

import { Box, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { useReasonText } from '../ui/feedback/reason-text';
import { SelectFilter } from '../ui/list/filter/list-filters';
import { ListPage } from '../ui/list/list-page';
import { LoadError } from '../ui/list/list-states';
import { ListTable } from '../ui/list/table/list-table';
import { useListUrl } from '../ui/list/use-list-url';
import { ActionButtons } from '../ui/page/action-buttons';
import { Facts } from '../ui/page/detail-page';
import { CopyableText } from '../ui/value/copyable-text';
import { StatusBadge } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';
import { formatCallError } from './call-error';
import { CREDENTIAL_STATUSES } from './credential-statuses';
import { useKeyActions } from './key-actions';
import type { ApiKey } from './key-form';
import { useOperationName } from './operation-names';
import { KEY_CALL_FILTERS, keyCallsQuery } from './queries';

type Call = RouterOutputs['keys']['calls']['calls'][number];

/** One key with its request log. */
export function KeyPage({ id }: { id: number }) {
  const t = useTranslations('keys');
  const format = useFormatter();
  const trpc = useTRPC();
  const { prefix } = useBackOffice();
  const url = useListUrl(KEY_CALL_FILTERS);
  const reasonText = useReasonText();
  const { data: keys, error, refetch } = useQuery(trpc.keys.list.queryOptions(undefined, SHOWS_OWN_ERROR));
  const { data, ...query } = useQuery(keyCallsQuery(trpc, id, url));
  const keyActions = useKeyActions();
  const key = keys?.find((candidate) => candidate.id === id);
  return (
    <>
      <ListPage<Call>
        id="key-calls"
        title={key?.name ?? t('oneKey', { id })}
        back={{ href: `${prefix}/keys`, label: t('title') }}
        beside={key && <StatusBadge status={CREDENTIAL_STATUSES[key.state]} />}
        actions={key && <ActionButtons actions={keyActions.actionsOf(key)} />}
        url={url}
        filters={
          <SelectFilter
            url={url}
            name="errors"
            label={t('calls')}
            options={[{ value: 'only', label: t('onlyErrors') }]}
          />
        }
        query={{ ...query, data: data && { rows: data.calls, next: data.next } }}
        rowKey={(call) => call.id}
        columns={[
          {
            key: 'route',
            label: t('call.route'),
            heading: true,
            render: ({ method, route }) => <span className="mono">{`${method} ${route}`}</span>,
          },
          { key: 'time', label: t('call.time'), render: ({ created_at: at }) => <Instant value={at} /> },
          {
            key: 'status',
            label: t('call.status'),
            numeric: true,
            render: ({ status }) => (
              <Text span inherit c={status >= 400 ? 'var(--mantine-color-error)' : undefined}>
                {status}
              </Text>
            ),
          },
          {
            key: 'duration',
            label: t('call.duration'),
            numeric: true,
            render: ({ duration_ms: ms }) => t('call.ms', { ms: format.number(ms) }),
          },
          {
            key: 'error',
            label: t('call.error'),
            render: ({ error: failure }) =>
              failure && formatCallError(failure, reasonText).map((text) => <div key={text}>{text}</div>),
          },
          {
            key: 'address',
            label: t('call.address'),
            render: ({ address }) => <span className="mono">{address ?? '–'}</span>,
          },
          {
            key: 'request',
            label: t('call.request'),
            hidden: true,
            render: ({ request_id: id }) => <CopyableText value={id} />,
          },
        ]}
        empty={{ title: t('noCalls'), hint: t('noCallsHint', { days: data?.days ?? 0 }) }}
      >
        {error && !keys && <LoadError error={error} onRetry={refetch} />}
        {!error && !keys && <Skeleton height={192} mb="md" />}
        {key && <KeyFacts apiKey={key} />}
      </ListPage>
      {keyActions.dialogs}
    </>
  );
}

function KeyFacts({ apiKey: key }: { apiKey: ApiKey }) {
  const t = useTranslations('keys');
  const operationName = useOperationName();
  const format = useFormatter();
  const { rotation, scopes, address_ranges: ranges, reply_tokens: tokens } = key;
  return (
    <Box mb="lg">
      <Facts
        facts={[
          { label: t('key'), value: <span className="mono">{`${key.prefix}…${key.last_four}`}</span> },
          {
            label: t('scopes'),
            value:
              scopes.length === 0
                ? t('scopeCount', { count: 0 })
                : format.list(
                    scopes.map((name) => operationName({ name })),
                    { style: 'narrow' },
                  ),
          },
          {
            label: t('ranges'),
            value: ranges.length === 0 ? t('everywhere') : <span className="mono">{ranges.join(', ')}</span>,
          },
          {
            label: t('replyTokensToday'),
            value: t('replyTokensUse', {
              used: format.number(tokens.used + tokens.reserved),
              budget: format.number(tokens.budget),
            }),
          },
          { label: t('createdBy'), value: key.created_by },
          { label: t('createdAt'), value: <Instant value={key.created_at} /> },
          {
            label: t('used'),
            value: key.last_used_at ? <Instant value={key.last_used_at} /> : t('neverUsed'),
          },
          {
            label: key.revoked_at ? t('revokedAt') : t('expires'),
            value:
              (key.revoked_at ?? key.expires_at) ? (
                <Instant value={key.revoked_at ?? key.expires_at} />
              ) : (
                t('expiry.never')
              ),
          },
        ]}
      />
      {rotation && (
        <Box mt="md">
          <Text mb="sm">
            {t.rich('rotatedAt', {
              instant: () => <Instant value={rotation.at} />,
              count: rotation.calls_since,
            })}
          </Text>
          {rotation.users_since.length > 0 && (
            <ListTable
              label={t('users')}
              rows={rotation.users_since}
              rowKey={({ address }) => address ?? ''}
              columns={[
                {
                  key: 'address',
                  label: t('call.address'),
                  heading: true,
                  render: ({ address }) => <span className="mono">{address ?? '–'}</span>,
                },
                { key: 'calls', label: t('calls'), numeric: true, render: ({ calls }) => calls },
                { key: 'last', label: t('lastCall'), render: ({ last_at: at }) => <Instant value={at} /> },
              ]}
            />
          )}
        </Box>
      )}
    </Box>
  );
}
