'use client';

import { Badge } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';

/** What a status means to its reader; the same colour everywhere. */
const TONES = {
  good: 'teal',
  busy: 'blue',
  waiting: 'yellow',
  bad: 'red',
  over: 'gray',
} as const;

/** The tone of every status on a page; the names are below. */
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
} as const satisfies Record<string, keyof typeof TONES>;

const STATUS_NAMES = messageKeys('status', {
  active: 'active',
  expired: 'expired',
  revoked: 'revoked',
  pending: 'pending',
  paid: 'paid',
  shipped: 'shipped',
  delivered: 'delivered',
  cancelled: 'cancelled',
  not_found: 'not_found',
  info_received: 'info_received',
  in_transit: 'in_transit',
  available_for_pickup: 'available_for_pickup',
  out_for_delivery: 'out_for_delivery',
  delivery_failure: 'delivery_failure',
  exception: 'exception',
  archived: 'archived',
  inactive: 'inactive',
  reachable: 'reachable',
  refused: 'refused',
  failing: 'failing',
  timeout: 'timeout',
  unreachable: 'unreachable',
  not_configured: 'not_configured',
  understood: 'understood',
  nothing: 'nothing',
  cut_short: 'cut_short',
  answered: 'answered',
  declined: 'declined',
  failed: 'failed',
  unknown: 'unknown',
  draft: 'draft',
  published: 'published',
  retired: 'retired',
  ready: 'ready',
  running: 'running',
  done: 'done',
  succeeded: 'succeeded',
  rejected: 'rejected',
  undone: 'undone',
});

export type Status = keyof typeof STATUS_TONES;

/** Returns a status's name in the reader's language. */
export function useStatusName(): (status: Status) => string {
  const t = useTranslations('status');
  return (status) => t(STATUS_NAMES[status]);
}

/** The colour of a status, for charts and the like beside its badge. */
export const statusColor = (status: Status): string => TONES[STATUS_TONES[status]];

/** A status in words and colour, never in colour alone. */
export function StatusBadge({ status }: { status: Status }) {
  const t = useTranslations('status');
  return <Badge color={TONES[STATUS_TONES[status]]}>{t(STATUS_NAMES[status])}</Badge>;
}
