'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { messageKeys } from '../../../../i18n/message-keys';
import type { RouterOutputs } from '../../../api/router-types';
import { useBackOffice } from '../../../shell/back-office';
import { Instant } from '../../../ui/value/time/instant';
import styles from '../order-page.module.css';
import { RestoreNumber } from '../shipments/shipment-actions';
import { FieldChanges } from './field-changes';

type Order = RouterOutputs['orders']['one'];

type Entry = Order['history'][number];

/** The names of users' actions, by the action in the audit log. */
const ACTION_NAMES = messageKeys('order', {
  'order.set_status': 'history.setStatus',
  'order.add_note': 'history.addNote',
  'order.remove_note': 'history.removeNote',
  'order.add_tracking_number': 'history.addTracking',
  'order.set_carrier': 'history.setCarrier',
  'order.remove_tracking_number': 'history.removeTracking',
  'order.restore_tracking_number': 'history.restoreTracking',
  'order.send_reply': 'history.sendReply',
  'order.handle': 'history.handle',
  'order.snooze': 'history.snooze',
  'order.assign': 'history.assign',
  'order.put_back': 'history.putBack',
  'shipment.set_status': 'history.setShipmentStatus',
  'shipment.take_back_status': 'history.takeBackStatus',
});

const IMPORT_TEXTS = messageKeys('order', {
  order: 'history.order',
  item: 'history.item',
  shipment: 'history.shipment',
});

/** Returns the tracking number that an entry removed from the order, if it has not been restored. */
function findRemovedNumber({ action, before }: Entry, { shipments }: Order): string | null {
  const number = before?.tracking_number;
  if (action !== 'order.remove_tracking_number' || typeof number !== 'string') return null;
  return shipments.some((shipment) => shipment.tracking_number === number) ? null : number;
}

/** The creation of an order, or a change to it, by an import or a user. */
export function HistoryEntry({ order, entry, canWrite }: { order: Order; entry: Entry; canWrite: boolean }) {
  const t = useTranslations('order');
  const { prefix } = useBackOffice();
  const titleOf = ({ kind, action, record }: Entry): string => {
    if (kind === 'created') return t('history.created');
    if (kind === 'import') return t(IMPORT_TEXTS[record]);
    return action !== null && action in ACTION_NAMES
      ? t(ACTION_NAMES[action as keyof typeof ACTION_NAMES])
      : (action ?? '–');
  };
  const restorableNumber = canWrite ? findRemovedNumber(entry, order) : null;
  return (
    <>
      <div>
        {titleOf(entry)}
        {restorableNumber !== null && <RestoreNumber orderId={order.id} number={restorableNumber} />}
      </div>
      <FieldChanges before={entry.before ?? {}} after={entry.after ?? {}} />
      <div className={styles.quiet}>
        <Instant value={entry.at} />
        {entry.actor && ` · ${entry.actor}`}
        {entry.import_id && (
          <>
            {' · '}
            <Anchor
              component={Link}
              href={`${prefix}/imports/${entry.import_id}`}
              prefetch={false}
              inherit
              underline="always"
            >
              {t('history.import', { id: entry.import_id })}
            </Anchor>
          </>
        )}
      </div>
    </>
  );
}
