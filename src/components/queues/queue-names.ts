import { messageKeys } from '../../i18n/message-keys';

/** The names of the queues as shown outside the navigation. */
export const QUEUE_NAMES = messageKeys('common', {
  to_ship: 'queues.toShip',
  late: 'queues.late',
  exception: 'queues.exceptions',
  delivery_failed: 'queues.deliveryFailed',
  not_scanned: 'queues.notScanned',
  to_review: 'queues.toReview',
  unmatched: 'queues.unmatched',
});
