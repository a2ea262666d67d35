'use client';

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../api/client';
import { SHOWS_OWN_ERROR } from '../api/page-queries';
import { LoadError } from '../ui/list/list-states';
import { Section } from '../ui/page/detail-page';
import { PageHeader } from '../ui/page/page-header';
import { type MappingChange, MappingEffect } from './mapping-effect';
import { MappingTable } from './mapping-table';
import { UnknownStatusTable } from './unknown-status-table';

/** The carriers' statuses that have no meaning yet, and those whose meaning has been chosen. */
export function UnknownStatusesPage() {
  const t = useTranslations('tracking');
  const trpc = useTRPC();
  const unmappedQuery = useQuery(trpc.callbacks.unmapped.queryOptions(undefined, SHOWS_OWN_ERROR));
  const mappingsQuery = useQuery(trpc.callbacks.mappings.queryOptions(undefined, SHOWS_OWN_ERROR));
  const [change, setChange] = useState<MappingChange | null>(null);
  const failedQuery = [unmappedQuery, mappingsQuery].find(({ error, data }) => error && !data);
  const statuses = unmappedQuery.data?.statuses;
  const mappings = mappingsQuery.data?.mappings;
  return (
    <>
      <PageHeader title={t('unknownStatuses.title')} description={t('unknownStatuses.description')} />
      {change && <MappingEffect change={change} onClose={() => setChange(null)} />}
      {failedQuery ? (
        <LoadError error={failedQuery.error} onRetry={failedQuery.refetch} />
      ) : (
        <>
          <Section title={statuses?.length === 0 ? t('unknownStatuses.empty') : t('unknownStatuses.queue')}>
            {statuses?.length === 0 ? (
              <Text c="dimmed">{t('unknownStatuses.emptyHint')}</Text>
            ) : (
              <UnknownStatusTable statuses={statuses} onChange={setChange} />
            )}
          </Section>
          <Section title={t('unknownStatuses.mappings')}>
            {mappings?.length === 0 ? (
              <Text c="dimmed">{t('unknownStatuses.noMappings')}</Text>
            ) : (
              <MappingTable mappings={mappings} onChange={setChange} />
            )}
          </Section>
        </>
      )}
    </>
  );
}
