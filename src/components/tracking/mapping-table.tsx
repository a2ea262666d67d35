'use client';

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { ConfirmAction } from '../ui/form/confirm-action';
import { ListTable } from '../ui/list/table/list-table';
import { StatusBadge, useStatusName } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';
import { type MappingChange, SourceName, type StatusSource } from './mapping-effect';
import { useReloadTracking } from './replay';

type Mapping = RouterOutputs['callbacks']['mappings']['mappings'][number];

interface Props {
  mappings: readonly Mapping[] | undefined;
  onChange: (change: MappingChange) => void;
}

/** The meanings that users have chosen, each with a button to remove it if the reader may do so. */
export function MappingTable({ mappings, onChange }: Props) {
  const t = useTranslations('tracking');
  const { user } = useBackOffice();
  return (
    <ListTable
      label={t('unknownStatuses.mappings')}
      rows={mappings}
      rowKey={({ source, provider_status: providerStatus }) => `${source}: ${providerStatus}`}
      columns={[
        {
          key: 'providerStatus',
          label: t('unknownStatuses.providerStatus'),
          heading: true,
          render: ({ provider_status: providerStatus }) => <span className="mono">{providerStatus}</span>,
        },
        {
          key: 'source',
          label: t('unknownStatuses.source'),
          render: ({ source }) => <SourceName source={source} />,
        },
        {
          key: 'meaning',
          label: t('unknownStatuses.meaning'),
          render: ({ status }) => <StatusBadge status={status} />,
        },
        { key: 'by', label: t('unknownStatuses.by'), render: ({ created_by: creator }) => creator },
        { key: 'at', label: t('unknownStatuses.at'), render: ({ created_at: at }) => <Instant value={at} /> },
        ...(hasPermission(user.role, 'tracking.write')
          ? [
              {
                key: 'remove',
                label: t('unknownStatuses.remove'),
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
  const reloadTracking = useReloadTracking();
  const unmapStatus = useMutation(trpc.callbacks.unmapStatus.mutationOptions());
  const { provider_status: providerStatus, status } = mapping;
  const removeMapping = async () => {
    const effect = await unmapStatus.mutateAsync({
      source: mapping.source as StatusSource,
      provider_status: providerStatus,
    });
    onChange({ providerStatus, status: null, effect });
    await reloadTracking();
  };
  return (
    <ConfirmAction
      title={t('unknownStatuses.remove')}
      message={t('unknownStatuses.askRemove', { providerStatus, status: statusName(status) })}
      action={t('unknownStatuses.remove')}
      destructive
      onConfirm={removeMapping}
    >
      {(ask) => (
        <Button size="compact-sm" variant="default" onClick={ask}>
          {t('unknownStatuses.remove')}
        </Button>
      )}
    </ConfirmAction>
  );
}
