'use client';

import { Anchor, Button, Group, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { TRACKING_STATUSES, type TrackingStatus } from '../../server/core/statuses';
import { hasPermission } from '../../server/identity/roles';
import { useTRPC } from '../api/client';
import type { RouterOutputs } from '../api/router-types';
import { useBackOffice } from '../shell/back-office';
import { ConfirmAction } from '../ui/form/confirm-action';
import { ListTable } from '../ui/list/table/list-table';
import { RowMenu } from '../ui/list/table/row-menu';
import { ClippedText } from '../ui/value/clipped-text';
import { useStatusName, useStatusOptions } from '../ui/value/status-badge';
import { Instant } from '../ui/value/time/instant';
import { type MappingChange, SourceName, type StatusSource } from './mapping-effect';
import { ReplayDialog, useReloadTracking } from './replay';
import styles from './tracking.module.css';

type UnknownStatus = RouterOutputs['callbacks']['unmapped']['statuses'][number];

interface Props {
  statuses: readonly UnknownStatus[] | undefined;
  onChange: (change: MappingChange) => void;
}

const keyOf = ({ source, provider_status: providerStatus }: UnknownStatus) => `${source}: ${providerStatus}`;

/** The statuses without a meaning, most frequent first. */
export function UnknownStatusTable({ statuses, onChange }: Props) {
  const t = useTranslations('tracking');
  const format = useFormatter();
  const { user, prefix } = useBackOffice();
  return (
    <ListTable
      label={t('unknownStatuses.queue')}
      rows={statuses}
      rowKey={keyOf}
      columns={[
        {
          key: 'providerStatus',
          label: t('unknownStatuses.providerStatus'),
          heading: true,
          render: ({ provider_status: providerStatus, source }) => (
            <span>
              <span className="mono">{providerStatus}</span>
              <span className={styles.secondary}>
                <SourceName source={source} />
              </span>
            </span>
          ),
        },
        {
          key: 'events',
          label: t('unknownStatuses.events'),
          numeric: true,
          render: ({ events: count }) => format.number(count),
        },
        {
          key: 'shipments',
          label: t('unknownStatuses.shipments'),
          numeric: true,
          render: ({ shipments: count }) => format.number(count),
        },
        {
          key: 'newest',
          label: t('unknownStatuses.newest'),
          render: ({ newest, since }) => (
            <span>
              <Instant value={newest} />
              <span className={styles.secondary}>
                {t('unknownStatuses.first')} <Instant value={since} dateOnly />
              </span>
            </span>
          ),
        },
        {
          key: 'example',
          label: t('unknownStatuses.example'),
          render: ({ example }) => (
            <span>
              <Anchor
                component={Link}
                href={`${prefix}/tracking?shipment=${encodeURIComponent(example.tracking_number)}`}
                prefetch={false}
                className="mono tap-line"
              >
                {example.tracking_number}
              </Anchor>
              {example.description && <ClippedText text={example.description} />}
            </span>
          ),
        },
        ...(hasPermission(user.role, 'tracking.write')
          ? [
              {
                key: 'meaning',
                label: t('unknownStatuses.meaning'),
                actions: true,
                render: (unknownStatus: UnknownStatus) => (
                  <UnknownStatusActions unknownStatus={unknownStatus} onChange={onChange} />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** Sets the meaning of a status, after the user has confirmed the effect, or replays the callbacks with events of that status. */
function UnknownStatusActions({
  unknownStatus,
  onChange,
}: {
  unknownStatus: UnknownStatus;
  onChange: Props['onChange'];
}) {
  const t = useTranslations('tracking');
  const trpc = useTRPC();
  const statusName = useStatusName();
  const statusOptions = useStatusOptions();
  const [status, setStatus] = useState<TrackingStatus | ''>('');
  const reloadTracking = useReloadTracking();
  const mapStatus = useMutation(trpc.callbacks.mapStatus.mutationOptions());
  // A replay is useful after the parser has been fixed. It may remove the status from the table, and with it this dialog, so the
  // table is reloaded only when the dialog is closed.
  const [opened, { open, close }] = useDisclosure();
  const replay = useMutation(trpc.callbacks.replayUnmapped.mutationOptions({ onSuccess: open }));
  // If the last replay did not process all callbacks, continues it; otherwise starts a new one.
  const continuation = replay.data?.left ? { started_at: replay.data.started_at! } : {};
  const closeAndReload = () => {
    close();
    void reloadTracking();
  };
  const { provider_status: providerStatus, events: eventCount, shipments: shipmentCount } = unknownStatus;
  const source = unknownStatus.source as StatusSource;
  const addMapping = async () => {
    if (status === '') return;
    const effect = await mapStatus.mutateAsync({ source, provider_status: providerStatus, status });
    onChange({ providerStatus, status, effect });
    await reloadTracking();
  };
  return (
    <Group gap="sm" className={styles.unknownStatus}>
      <NativeSelect
        aria-label={t('unknownStatuses.chooseFor', { providerStatus })}
        w={176}
        style={{ flexShrink: 0 }}
        value={status}
        onChange={({ currentTarget: { value } }) => setStatus(value as TrackingStatus | '')}
        data={[{ value: '', label: t('unknownStatuses.choose') }, ...statusOptions(TRACKING_STATUSES)]}
      />
      <ConfirmAction
        title={t('unknownStatuses.meaning')}
        message={
          status !== '' && (
            <>
              <p>{t('unknownStatuses.ask', { providerStatus, status: statusName(status) })}</p>
              <p>{t('unknownStatuses.askEffect', { events: eventCount, shipments: shipmentCount })}</p>
            </>
          )
        }
        action={t('unknownStatuses.set')}
        onConfirm={addMapping}
      >
        {(ask) => (
          <Button disabled={status === ''} onClick={ask} style={{ flexShrink: 0 }}>
            {t('unknownStatuses.set')}
          </Button>
        )}
      </ConfirmAction>
      <RowMenu
        name={providerStatus}
        actions={[
          {
            label: t('unknownStatuses.replay'),
            onClick: () => replay.mutate({ source, provider_status: providerStatus, ...continuation }),
          },
        ]}
      />
      <ReplayDialog
        opened={opened}
        onClose={closeAndReload}
        callbacks={replay.data?.records}
        remainingCount={replay.data?.left}
      />
    </Group>
  );
}
