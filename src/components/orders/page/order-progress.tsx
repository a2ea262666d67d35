'use client';

import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../i18n/message-keys';
import type { RouterOutputs } from '../../api/router-types';
import { useStatusName } from '../../ui/value/status-badge';
import { Instant } from '../../ui/value/time/instant';
import styles from './order-page.module.css';
import { progressOf } from './progress';

const STEP_NAMES = messageKeys('order', {
  ordered: 'progress.ordered',
  paid: 'progress.paid',
  shipped: 'progress.shipped',
  inTransit: 'progress.inTransit',
  outForDelivery: 'progress.outForDelivery',
  delivered: 'progress.delivered',
});

/** The progress of an order, and whether a shipment needs attention. Shows nothing for a cancelled order. */
export function OrderProgress({ order }: { order: RouterOutputs['orders']['one'] }) {
  const t = useTranslations('order');
  const statusName = useStatusName();
  const steps = progressOf(order);
  if (steps.length === 0) return null;
  const { tracking_status: trackingStatus } = order;
  const problemStatus =
    trackingStatus === 'exception' || trackingStatus === 'delivery_failure' ? trackingStatus : null;
  return (
    <ol className={styles.progress} aria-label={t('progress.label')}>
      {steps.map(({ name, isDone, at }) => (
        <li key={name} data-done={isDone || undefined}>
          <span>{t(STEP_NAMES[name])}</span>
          <span className="visually-hidden">{isDone ? t('progress.done') : t('progress.open')}</span>
          {at && (
            <span className={styles.quiet}>
              <Instant value={at} brief isSale={name === 'paid'} />
            </span>
          )}
        </li>
      ))}
      {problemStatus && (
        <li data-problem>
          <span>{statusName(problemStatus)}</span>
        </li>
      )}
    </ol>
  );
}
