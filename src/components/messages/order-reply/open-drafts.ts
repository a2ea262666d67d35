import type { RouterOutputs } from '../../api/router-types';

export type Draft = RouterOutputs['replyDrafts']['ofOrder']['drafts'][number];

/** Returns the drafts since the last reply that was sent, oldest first: earlier ones reply to earlier messages. */
export function openDrafts(drafts: readonly Draft[]): Draft[] {
  const lastSent = drafts.findIndex(({ sent }) => sent !== null);
  return (lastSent === -1 ? drafts : drafts.slice(0, lastSent)).toReversed();
}
