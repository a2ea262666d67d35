import { messageKeys } from '../../i18n/message-keys';
import type { Cause } from '../../server/queues/queue';

export const CAUSE_NAMES = messageKeys('queues', {
  lost: 'causes.lost',
  damaged: 'causes.damaged',
  returned: 'causes.returned',
  refused: 'causes.refused',
  customs: 'causes.customs',
  delayed: 'causes.delayed',
  nobody: 'causes.nobody',
  address: 'causes.address',
  other: 'causes.other',
});

/** Red where the parcel will not arrive without us; yellow where it waits for something. */
export const CAUSE_COLORS: Record<Cause, string> = {
  lost: 'red',
  damaged: 'red',
  returned: 'red',
  refused: 'yellow',
  customs: 'yellow',
  delayed: 'yellow',
  nobody: 'yellow',
  address: 'yellow',
  other: 'gray',
};
