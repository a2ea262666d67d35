import type { RouterOutputs } from '../../api/router-types';

export type Draft = RouterOutputs['replyDrafts']['ofOrder']['drafts'][number];

/**
 * Returns the drafts that are newer than the newest one marked as sent, oldest first. Older drafts reply to earlier messages.
 *
 * @param drafts newest first
 */
export function openDraftsOf(drafts: readonly Draft[]): Draft[] {
  const newestSentIndex = drafts.findIndex(({ sent }) => sent !== null);
  return (newestSentIndex === -1 ? drafts : drafts.slice(0, newestSentIndex)).toReversed();
}
