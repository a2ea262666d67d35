import { messageKeys } from '../../../i18n/message-keys';
import type { Cause } from '../../../server/queues/queue';
import type { Tone } from '../../ui/value/tone-badge';

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
}) satisfies Record<Cause, string>;

/** The tone of each cause: the more urgent the cause, the stronger its tone. */
export const CAUSE_TONES: Record<Cause, Tone> = {
  lost: 'urgent',
  damaged: 'urgent',
  returned: 'urgent',
  refused: 'due',
  customs: 'due',
  delayed: 'due',
  nobody: 'due',
  address: 'due',
  other: 'waiting',
};
