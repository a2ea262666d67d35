'use client';

import { Anchor } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../api/client';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { LoadError } from '../../ui/list/list-states';
import { ListTable } from '../../ui/list/table/list-table';
import { RowMenu } from '../../ui/list/table/row-menu';
import { Section } from '../../ui/page/detail-page';
import { ClippedText } from '../../ui/value/clipped-text';
import { StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import { draftsQuery } from '../queries';

type Draft = RouterOutputs['imports']['drafts'][number];

/** Files that have been uploaded but not imported yet. Hidden if there are none. */
export function DraftList() {
  const t = useTranslations('import');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { prefix } = useBackOffice();
  const { data, error, refetch } = useQuery(draftsQuery(trpc));
  const discardDraft = useMutation(
    trpc.imports.discard.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.imports.drafts.pathFilter()),
    }),
  );
  const unfinishedDrafts = data?.filter(({ state }) => state !== 'done');
  if (error && !data) return <LoadError error={error} onRetry={refetch} />;
  if (!unfinishedDrafts || unfinishedDrafts.length === 0) return null;
  return (
    <Section title={t('drafts.title')} description={t('drafts.description')}>
      <ListTable<Draft>
        label={t('drafts.title')}
        rows={unfinishedDrafts}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'file',
            label: t('drafts.file'),
            heading: true,
            grow: true,
            render: ({ id, file_name: name }) => (
              <Anchor component={Link} href={`${prefix}/import/${id}`} prefetch={false}>
                {name}
              </Anchor>
            ),
          },
          { key: 'shop', label: t('shop'), render: ({ account }) => <ClippedText narrow text={account} /> },
          { key: 'state', label: t('drafts.state'), render: ({ state }) => <StatusBadge status={state} /> },
          {
            key: 'uploaded',
            label: t('drafts.uploaded'),
            render: ({ created_at: at }) => <Instant value={at} brief />,
          },
          {
            key: 'actions',
            label: t('drafts.actions'),
            actions: true,
            render: ({ id, file_name: name, state }) => (
              <RowMenu
                name={name}
                actions={[
                  state !== 'running' && {
                    label: t('discard'),
                    confirm: {
                      message: t('discardHint', { name }),
                      destructive: true,
                      onConfirm: () => discardDraft.mutateAsync({ id }),
                    },
                  },
                ]}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
