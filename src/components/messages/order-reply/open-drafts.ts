import type { RouterOutputs } from '../../api/router-types';

export type Draft = RouterOutputs['replyDrafts']['ofOrder']['drafts'][number];

/** Returns the drafts written since the last reply was sent, oldest first. Earlier drafts reply to earlier messages. */
export function openDrafts(drafts: readonly Draft[]): Draft[] {
  const lastSentIndex = drafts.findIndex(({ sent }) => sent !== null);
  return (lastSentIndex === -1 ? drafts : drafts.slice(0, lastSentIndex)).toReversed();
}
