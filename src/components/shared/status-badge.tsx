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
} as const satisfies Record<string, keyof typeof TONES>;

const STATUS_NAMES = messageKeys('status', {
  active: 'active',
  expired: 'expired',
  revoked: 'revoked',
});

export type Status = keyof typeof STATUS_TONES;

/** A status in words and colour: never in colour alone. */
export function StatusBadge({ status }: { status: Status }) {
  const t = useTranslations('status');
  return <Badge color={TONES[STATUS_TONES[status]]}>{t(STATUS_NAMES[status])}</Badge>;
}
