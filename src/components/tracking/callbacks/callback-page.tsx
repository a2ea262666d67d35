'use client';

import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { Pairs } from '../../records/pairs';
import { pairsOf } from '../../records/record-body';
import { useBackOffice } from '../../shell/back-office';
import { useReasonText } from '../../ui/feedback/reason-text';
import { LoadError } from '../../ui/list/list-states';
import type { ApiRequest } from '../../ui/page/api-call-text';
import { Facts, Section } from '../../ui/page/detail-page';
import { PageHeader } from '../../ui/page/page-header';
import { CopyableText } from '../../ui/value/copyable-text';
import { parseExactJson } from '../../ui/value/exact-json';
import { useSizeText } from '../../ui/value/size-text';
import { StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import { callbackQuery } from '../queries';
import { ReplaySummary, useReplay } from '../replay';
import { StatusChanges } from '../status-changes';
import { CallbackBody, JsonText } from './callback-body';
import { CallbackFormat, OUTCOME_STATUSES, TrackingNumbers } from './callback-columns';
import { CallbackEvents } from './callback-events';
import { SkippedEntries } from './skipped-entries';

type CallbackView = RouterOutputs['callbacks']['one'];

/** A callback: what was received, how it was understood, and what it changed. */
export function CallbackPage({ id }: { id: string }) {
  const t = useTranslations('tracking');
  const trpc = useTRPC();
  const { prefix } = useBackOffice();
  const { data, error, refetch } = useQuery(callbackQuery(trpc, id));
  return (
    <>
      <PageHeader
        title={t('callbacks.one', { id })}
        back={{ href: `${prefix}/tracking/callbacks`, label: t('callbacks.back') }}
        beside={data && <StatusBadge status={OUTCOME_STATUSES[data.outcome]} />}
        api={data && apiCallOf(data)}
      />
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : data ? (
        <CallbackSections callback={data} />
      ) : (
        <Skeleton height={480} radius="sm" />
      )}
    </>
  );
}

/** Returns the API call that sends this callback again; undefined if its body is not JSON. */
function apiCallOf(callback: CallbackView): ApiRequest | undefined {
  if (callback.body_encoding !== 'text') return undefined;
  return { method: 'POST', path: '/api/v1/tracks', body: parseExactJson(callback.body) };
}

function CallbackSections({ callback }: { callback: CallbackView }) {
  const t = useTranslations('tracking');
  const { user } = useBackOffice();
  const replay = useReplay();
  const replayedCallbacks = replay.data?.records;
  const queryParameters = pairsOf(callback.query);
  return (
    <>
      <Section
        title={t('callback.summary')}
        actions={
          hasPermission(user.role, 'tracking.write') && (
            <Button
              variant="default"
              loading={replay.isPending}
              onClick={() => replay.mutate({ ids: [callback.id] })}
            >
              {t('replay.do')}
            </Button>
          )
        }
      >
        {replayedCallbacks && (
          <Stack gap="sm" mb="md">
            <ReplaySummary callbacks={replayedCallbacks} />
            <StatusChanges changes={replayedCallbacks.flatMap(({ changes }) => changes)} />
          </Stack>
        )}
        <CallbackFacts callback={callback} />
      </Section>
      <SkippedEntries callback={callback} />
      <CallbackEvents callback={callback} />
      <Section title={t('callback.body')}>
        <CallbackBody body={callback} />
      </Section>
      <Section title={t('callback.headers')}>
        <Pairs pairs={pairsOf(callback.headers)} emptyText={t('callback.nothing')} />
      </Section>
      {queryParameters.length > 0 && (
        <Section title={t('callback.query')}>
          <Pairs pairs={queryParameters} emptyText={t('callback.nothing')} />
        </Section>
      )}
      <Section title={t('callback.result')}>
        <JsonText value={callback.result} />
      </Section>
    </>
  );
}

function CallbackFacts({ callback }: { callback: CallbackView }) {
  const t = useTranslations('tracking');
  const sizeText = useSizeText();
  const reasonText = useReasonText();
  const { error, request_id: requestId, replays } = callback;
  return (
    <Facts
      facts={[
        { label: t('callbacks.received'), value: <Instant value={callback.received_at} /> },
        { label: t('callbacks.form'), value: <CallbackFormat form={callback.form} /> },
        {
          label: t('callbacks.numbers'),
          value: (
            <TrackingNumbers numbers={callback.tracking_numbers} count={callback.tracking_number_count} />
          ),
        },
        { label: t('callback.matched'), value: callback.matched_orders },
        { label: t('callback.updated'), value: callback.updated_orders },
        { label: t('callback.newEvents'), value: callback.new_events },
        {
          label: t('callbacks.why'),
          value: error && <Text c="var(--mantine-color-error)">{reasonText(error)}</Text>,
        },
        { label: t('callback.processed'), value: <Instant value={callback.processed_at} /> },
        {
          label: t('callbacks.replays'),
          value: replays > 0 && (
            <>
              {t('callback.replayed', { count: replays })} <Instant value={callback.replayed_at} />
            </>
          ),
        },
        { label: t('callbacks.key'), value: callback.api_key },
        { label: t('callbacks.size'), value: sizeText(callback.size) },
        { label: t('callback.request'), value: requestId && <CopyableText value={requestId} /> },
      ].map(({ label, value }) => ({ label, value: value === false ? null : value }))}
    />
  );
}
