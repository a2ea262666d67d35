import type { RouterOutputs } from '../../api/router-types';
import type { UnsentReply } from './unsent-reply';

export type Draft = RouterOutputs['replyDrafts']['ofOrder']['drafts'][number];

/**
 * Returns the unsent drafts that were written since the last reply was sent, and those that the user has edited, oldest first.
 * All other drafts have been sent, or respond to messages that have been replied to. The queue "Replies to review" applies the same
 * rule (`queue_records`), but not to edited drafts, nor to replies from the API without warnings.
 *
 * @param drafts newest first
 * @param texts the user's edited texts, by draft id
 */
export function openDraftsOf(drafts: readonly Draft[], texts: UnsentReply['texts']): Draft[] {
  const lastSentAt = Math.max(...drafts.map(({ sent }) => (sent ? Date.parse(sent.at) : 0)));
  return drafts
    .filter(
      ({ id, sent, created_at }) =>
        !sent && (Date.parse(created_at) >= lastSentAt || texts[id] !== undefined),
    )
    .toReversed();
}
