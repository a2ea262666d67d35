'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { useReasonText } from '../../ui/feedback/reason-text';
import type { Column } from '../../ui/list/table/list-table';
import { ClippedText } from '../../ui/value/clipped-text';
import { useSizeText } from '../../ui/value/size-text';
import { type Status, StatusBadge } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import styles from '../tracking.module.css';

export type Callback = RouterOutputs['callbacks']['list']['records'][number];

/** The status that the badge shows for each outcome of a callback. */
export const OUTCOME_STATUSES = {
  understood: 'understood',
  nothing: 'nothing',
  failed: 'cut_short',
} as const satisfies Record<Callback['outcome'], Status>;

const FORMAT_NAMES = messageKeys('tracking', {
  '17track': 'forms.seventeenTrack',
  plain: 'forms.plain',
  unknown: 'forms.unknown',
});

/** The format of a callback. */
export function CallbackFormat({ form }: { form: string | null }) {
  const t = useTranslations('tracking');
  if (form === null) return '–';
  return form in FORMAT_NAMES ? t(FORMAT_NAMES[form as keyof typeof FORMAT_NAMES]) : form;
}

/**
 * Tracking numbers, each with a link to its shipment.
 *
 * @param count how many numbers there are in total; `numbers` may have only the first ones
 */
export function TrackingNumbers({ numbers, count }: { numbers: readonly string[]; count: number }) {
  const t = useTranslations('tracking');
  const { prefix } = useBackOffice();
  if (count === 0) return '–';
  return (
    <span className={styles.numbers}>
      {numbers.map((number) => (
        <Anchor
          key={number}
          component={Link}
          href={`${prefix}/tracking?shipment=${encodeURIComponent(number)}`}
          prefetch={false}
          className="mono tap-line"
        >
          {number}
        </Anchor>
      ))}
      {count > numbers.length && <span>{t('callbacks.more', { count: count - numbers.length })}</span>}
    </span>
  );
}

const MAX_SHOWN_NUMBERS = 2;

/** Returns the columns of the list of callbacks. */
export function useCallbackColumns(): Column<Callback>[] {
  const t = useTranslations('tracking');
  const reasonText = useReasonText();
  const format = useFormatter();
  const sizeText = useSizeText();
  const { prefix } = useBackOffice();
  return [
    {
      key: 'id',
      label: t('callbacks.id'),
      heading: true,
      render: ({ id }) => (
        <Anchor
          component={Link}
          href={`${prefix}/tracking/callbacks/${id}`}
          prefetch={false}
          className="mono"
        >
          {id}
        </Anchor>
      ),
    },
    {
      key: 'received',
      label: t('callbacks.received'),
      card: 'beside',
      render: ({ received_at: at }) => <Instant value={at} brief />,
    },
    {
      key: 'outcome',
      label: t('callbacks.outcome'),
      card: 'end',
      render: ({ outcome }) => <StatusBadge status={OUTCOME_STATUSES[outcome]} />,
    },
    { key: 'form', label: t('callbacks.form'), render: ({ form }) => <CallbackFormat form={form} /> },
    {
      key: 'numbers',
      label: t('callbacks.numbers'),
      card: 'fact',
      render: ({ tracking_numbers: numbers, tracking_number_count: count }) => (
        <TrackingNumbers numbers={numbers.slice(0, MAX_SHOWN_NUMBERS)} count={count} />
      ),
    },
    {
      key: 'changed',
      label: t('callbacks.changed'),
      card: 'fact',
      render: ({ new_events: eventCount, updated_orders: orderCount }) =>
        eventCount === null ? (
          '–'
        ) : (
          <ClippedText
            text={
              eventCount === 0 && !orderCount
                ? t('callbacks.nothing')
                : t('callbacks.changes', { events: eventCount, orders: orderCount ?? 0 })
            }
          />
        ),
    },
    {
      key: 'why',
      label: t('callbacks.why'),
      render: ({ error }) => <ClippedText text={error && reasonText(error)} />,
    },
    { key: 'key', label: t('callbacks.key'), hidden: true, render: ({ api_key: key }) => key ?? '–' },
    {
      key: 'size',
      label: t('callbacks.size'),
      numeric: true,
      hidden: true,
      render: ({ size }) => sizeText(size),
    },
    {
      key: 'replays',
      label: t('callbacks.replays'),
      numeric: true,
      hidden: true,
      render: ({ replays }) => format.number(replays),
    },
  ];
}
