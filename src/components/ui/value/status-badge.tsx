'use client';

import { useTranslations } from 'next-intl';
import { ownKeys } from '../../../i18n/message-keys';
import type { Messages } from '../../../i18n/messages';
import type { OrderStatus, TrackingStatus } from '../../../server/core/statuses';
import { TONES, type Tone, ToneBadge } from './tone-badge';

export type Status = Exclude<keyof Messages['status'], 'sub'>;

/** The tone of every status. A status's name is the message with the same key. */
const STATUS_TONES = {
  active: 'done',
  credential_expired: 'waiting',
  revoked: 'waiting',
  pending: 'waiting',
  paid: 'due',
  shipped: 'moving',
  delivered: 'done',
  cancelled: 'waiting',
  not_found: 'waiting',
  info_received: 'labelled',
  in_transit: 'moving',
  available_for_pickup: 'waiting',
  out_for_delivery: 'moving',
  delivery_failure: 'urgent',
  exception: 'urgent',
  expired: 'waiting',
  archived: 'waiting',
  deleting: 'waiting',
  inactive: 'waiting',
  reachable: 'done',
  refused: 'urgent',
  failing: 'urgent',
  timeout: 'urgent',
  unreachable: 'urgent',
  not_configured: 'waiting',
  understood: 'done',
  nothing: 'due',
  cut_short: 'urgent',
  answered: 'done',
  written: 'done',
  declined: 'due',
  failed: 'urgent',
  unknown: 'waiting',
  draft: 'due',
  published: 'done',
  retired: 'waiting',
  ready: 'due',
  running: 'moving',
  done: 'done',
  succeeded: 'done',
  rejected: 'urgent',
  undone: 'waiting',
  queued: 'waiting',
  sending: 'moving',
  sent: 'done',
  not_sent: 'urgent',
  quiet_day: 'waiting',
  switched_on: 'done',
  switched_off: 'waiting',
} as const satisfies Record<OrderStatus | TrackingStatus | Status, Tone>;

const STATUS_NAMES = ownKeys('status', STATUS_TONES);

/** Returns a function that names a status in the reader's language. */
export function useStatusName(): (status: Status) => string {
  const t = useTranslations('status');
  return (status) => t(STATUS_NAMES[status]);
}

interface StatusOptions {
  <Value extends Status>(values: readonly Value[]): { value: Value; label: string }[];
  <Value extends string>(
    values: readonly Value[],
    statusOf: Readonly<Record<Value, Status>>,
  ): { value: Value; label: string }[];
}

/** Returns a function that creates select options for statuses, or for values that each have a status. */
export function useStatusOptions(): StatusOptions {
  const statusName = useStatusName();
  return <Value extends string>(values: readonly Value[], statusOf?: Readonly<Record<Value, Status>>) =>
    values.map((value) => ({ value, label: statusName(statusOf ? statusOf[value] : (value as Status)) }));
}

/** Returns Mantine's name for the colour of a status, for charts beside its badge. */
export const statusColor = (status: Status): string => TONES[STATUS_TONES[status]];

/** The name of a status, as a badge in the colour of the status. */
export function StatusBadge({ status }: { status: Status }) {
  const t = useTranslations('status');
  return <ToneBadge tone={STATUS_TONES[status]}>{t(STATUS_NAMES[status])}</ToneBadge>;
}
