import { messageKeys } from '../../i18n/message-keys';
import type { QueueName } from '../../server/queues/queue';

/** The names of the queues on pages other than their own. */
export const QUEUE_NAMES = messageKeys('common', {
  to_ship: 'queues.toShip',
  late: 'queues.late',
  exception: 'queues.exceptions',
  delivery_failed: 'queues.deliveryFailed',
  not_scanned: 'queues.notScanned',
  to_review: 'queues.toReview',
  unmatched: 'queues.unmatched',
}) satisfies Record<QueueName, string>;
