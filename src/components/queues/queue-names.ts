import { messageKeys } from '../../i18n/message-keys';

/** What the queues are called in logs and histories. */
export const QUEUE_NAMES = messageKeys('common', {
  to_ship: 'queues.toShip',
  late: 'queues.late',
  exception: 'queues.exceptions',
  delivery_failed: 'queues.deliveryFailed',
  not_scanned: 'queues.notScanned',
  to_review: 'queues.toReview',
  unmatched: 'queues.unmatched',
});
