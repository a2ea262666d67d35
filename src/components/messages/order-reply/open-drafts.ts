import type { RouterOutputs } from '../../api/router-types';
import type { UnsentReply } from './unsent-reply';

/** The key of a text written without a draft. */
export const HANDWRITTEN_KEY = 'hand';

export type Draft = RouterOutputs['replyDrafts']['ofOrder']['drafts'][number];

/**
 * Returns the unsent drafts that were written since the last reply was sent, and every draft that the user has edited, oldest first:
 * an edited text must not disappear because a colleague marks its draft as sent, unless just this text was sent. The queue "Replies
 * to review" applies the same rule (`queue_records`), but cannot see edits, and leaves out replies from the API without warnings.
 *
 * @param drafts newest first
 * @param texts the user's edited texts, by draft id
 */
export function openDraftsOf(drafts: readonly Draft[], texts: UnsentReply['texts']): Draft[] {
  const lastSentAt = Math.max(...drafts.map(({ sent }) => (sent ? Date.parse(sent.at) : 0)));
  return drafts
    .filter(({ id, sent, created_at }) => {
      const text = texts[id];
      if (sent) return text !== undefined && text.trim() !== sent.text;
      return text !== undefined || Date.parse(created_at) >= lastSentAt;
    })
    .toReversed();
}

/**
 * Returns the index of the chosen draft, or of the last one if none of them is chosen; -1 if the reply is written by hand or there
 * are no drafts.
 */
export function chosenIndexOf(drafts: readonly Draft[], chosen: UnsentReply['chosen']): number {
  if (chosen === HANDWRITTEN_KEY) return -1;
  const index = drafts.findIndex(({ id }) => id === chosen);
  return index === -1 ? drafts.length - 1 : index;
}
