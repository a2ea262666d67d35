'use client';

import { Alert, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';
import type { TrackingStatus } from '../../server/core/statuses';
import type { RouterInputs, RouterOutputs } from '../api/router-types';
import { Sentences } from '../ui/value/sentences';
import { useStatusName } from '../ui/value/status-badge';
import { StatusChanges } from './status-changes';

/** The source of a carrier's status; meanings are stored per source. */
export type StatusSource = RouterInputs['callbacks']['unmapStatus']['source'];

const SOURCE_NAMES = messageKeys('tracking', {
  '17track': 'sources.seventeenTrack',
  yanwen: 'sources.yanwen',
  plain: 'sources.plain',
}) satisfies Record<StatusSource, string>;

export function SourceName({ source }: { source: string }) {
  const t = useTranslations('tracking');
  return source in SOURCE_NAMES ? t(SOURCE_NAMES[source as keyof typeof SOURCE_NAMES]) : source;
}

/** A meaning that was chosen or removed, and what that changed. */
export interface MappingChange {
  providerStatus: string;
  /** Null if the meaning was removed. */
  status: TrackingStatus | null;
  effect: RouterOutputs['callbacks']['mapStatus'];
}

const MAX_SHOWN_CHANGES = 20;

/** Shows what the choice or removal of a meaning has changed. */
export function MappingEffect({
  change: { providerStatus, status, effect },
  onClose,
}: {
  change: MappingChange;
  onClose: () => void;
}) {
  const t = useTranslations('tracking');
  const common = useTranslations('common');
  const statusName = useStatusName();
  const { changes, change_count: count } = effect;
  return (
    <Alert
      role="status"
      variant="default"
      mb="md"
      title={
        status
          ? t('unknownStatuses.done', { providerStatus, status: statusName(status) })
          : t('unknownStatuses.removed', { providerStatus })
      }
      withCloseButton
      closeButtonLabel={common('close')}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>
          <Sentences>
            {t('unknownStatuses.effect', {
              events: effect.changed_events,
              shipments: count,
              orders: effect.updated_orders,
            })}
            {count > MAX_SHOWN_CHANGES && t('unknownStatuses.shown', { count: MAX_SHOWN_CHANGES })}
          </Sentences>
        </Text>
        <StatusChanges changes={changes.slice(0, MAX_SHOWN_CHANGES)} />
      </Stack>
    </Alert>
  );
}
