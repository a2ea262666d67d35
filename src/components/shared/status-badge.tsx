'use client';

import { Badge } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../i18n/message-keys';

/** What a status means to who reads it; the same colour everywhere. */
const TONES = {
  good: 'teal',
  busy: 'blue',
  waiting: 'yellow',
  bad: 'red',
  over: 'gray',
} as const;

/** Every status that a page shows: its tone, and below its name. */
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
});

export type Status = keyof typeof STATUS_TONES;

/** A status in words and colour: never in colour alone. */
export function StatusBadge({ status }: { status: Status }) {
  const t = useTranslations('status');
  return <Badge color={TONES[STATUS_TONES[status]]}>{t(STATUS_NAMES[status])}</Badge>;
}
