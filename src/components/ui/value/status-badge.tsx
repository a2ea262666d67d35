'use client';

import { Badge } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { ownKeys } from '../../../i18n/message-keys';
import type { Messages } from '../../../i18n/messages';
import type { OrderStatus, TrackingStatus } from '../../../server/core/statuses';

/** What a status means to its reader; the same colour everywhere. */
const TONES = {
  good: 'teal',
  busy: 'blue',
  waiting: 'yellow',
  bad: 'red',
  over: 'gray',
} as const;

export type Status = Exclude<keyof Messages['status'], 'sub'>;

/** The tone of every status on a page. Its name is the message of the same key. */
const STATUS_TONES = {
  active: 'good',
  expired: 'over',
  revoked: 'over',
  pending: 'waiting',
  paid: 'waiting',
  shipped: 'busy',
  delivered: 'good',
  cancelled: 'over',
  not_found: 'over',
  info_received: 'waiting',
  in_transit: 'busy',
  available_for_pickup: 'waiting',
  out_for_delivery: 'busy',
  delivery_failure: 'bad',
  exception: 'bad',
  archived: 'over',
  inactive: 'over',
  reachable: 'good',
  refused: 'bad',
  failing: 'bad',
  timeout: 'bad',
  unreachable: 'bad',
  not_configured: 'over',
  understood: 'good',
  nothing: 'waiting',
  cut_short: 'bad',
  answered: 'good',
  declined: 'waiting',
  failed: 'bad',
  unknown: 'over',
  draft: 'waiting',
  published: 'good',
  retired: 'over',
  ready: 'waiting',
  running: 'busy',
  done: 'good',
  succeeded: 'good',
  rejected: 'bad',
  undone: 'over',
} as const satisfies Record<OrderStatus | TrackingStatus | Status, keyof typeof TONES>;

const STATUS_NAMES = ownKeys('status', STATUS_TONES);

/** Returns a status's name in the reader's language. */
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

/** Returns the options of a choice of statuses, or of values that each have a status. */
export function useStatusOptions(): StatusOptions {
  const statusName = useStatusName();
  return <Value extends string>(values: readonly Value[], statusOf?: Readonly<Record<Value, Status>>) =>
    values.map((value) => ({ value, label: statusName(statusOf ? statusOf[value] : (value as Status)) }));
}

/** The colour of a status, for charts and the like beside its badge. */
export const statusColor = (status: Status): string => TONES[STATUS_TONES[status]];

/** A status in words and colour, never in colour alone. */
export function StatusBadge({ status }: { status: Status }) {
  const t = useTranslations('status');
  return <Badge color={TONES[STATUS_TONES[status]]}>{t(STATUS_NAMES[status])}</Badge>;
}
