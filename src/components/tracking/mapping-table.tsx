'use client';

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useDesk } from '../shell/desk';
import { ConfirmAction } from '../ui/form/confirm-action';
import { ListTable } from '../ui/list/table/list-table';
import { Instant } from '../ui/value/instant';
import { StatusBadge, useStatusName } from '../ui/value/status-badge';
import { type MeaningChange, SourceName, type WordSource } from './meaning-effect';
import { useReloadTracking } from './replay';

type Mapping = RouterOutputs['callbacks']['mappings']['mappings'][number];

interface Props {
  mappings: readonly Mapping[] | undefined;
  onChange: (change: MeaningChange) => void;
}

/** The meanings that users have chosen; each can be removed. */
export function MappingTable({ mappings, onChange }: Props) {
  const t = useTranslations('tracking');
  const { user } = useDesk();
  return (
    <ListTable
      label={t('words.mappings')}
      rows={mappings}
      rowKey={({ source, provider_status: word }) => `${source}: ${word}`}
      columns={[
        {
          key: 'word',
          label: t('words.word'),
          heading: true,
          render: ({ provider_status: word }) => <span className="mono">{word}</span>,
        },
        { key: 'source', label: t('words.source'), render: ({ source }) => <SourceName source={source} /> },
        {
          key: 'meaning',
          label: t('words.meaning'),
          render: ({ status }) => <StatusBadge status={status} />,
        },
        { key: 'by', label: t('words.by'), render: ({ created_by: by }) => by },
        { key: 'at', label: t('words.at'), render: ({ created_at: at }) => <Instant value={at} /> },
        ...(hasPermission(user.role, 'tracking.write')
          ? [
              {
                key: 'remove',
                label: t('words.remove'),
                actions: true,
                render: (mapping: Mapping) => <RemoveMapping mapping={mapping} onChange={onChange} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function RemoveMapping({ mapping, onChange }: { mapping: Mapping; onChange: Props['onChange'] }) {
  const t = useTranslations('tracking');
  const trpc = useTRPC();
  const statusName = useStatusName();
  const reload = useReloadTracking();
  const unmap = useMutation(trpc.callbacks.unmapStatus.mutationOptions());
  const { provider_status: word, status } = mapping;
  const remove = async () => {
    const effect = await unmap.mutateAsync({
      source: mapping.source as WordSource,
      provider_status: word,
    });
    onChange({ word, status: null, effect });
    await reload();
  };
  return (
    <ConfirmAction
      title={t('words.remove')}
      message={t('words.askRemove', { word, status: statusName(status) })}
      action={t('words.remove')}
      destructive
      onConfirm={remove}
    >
      {(ask) => (
        <Button size="compact-sm" variant="default" onClick={ask}>
          {t('words.remove')}
        </Button>
      )}
    </ConfirmAction>
  );
}
