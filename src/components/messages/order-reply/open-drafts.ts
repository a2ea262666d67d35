import type { RouterOutputs } from '../../api/router-types';
import type { UnsentReply } from './unsent-reply';

export type Draft = RouterOutputs['replyDrafts']['ofOrder']['drafts'][number];

/**
 * Returns the drafts that were written after a reply was last sent, oldest first, and any others that the user has edited.
 * Drafts written before that reply to earlier messages, whether or not they were sent. The queue "Replies to review" follows the
 * same rule (`queue_records`).
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
